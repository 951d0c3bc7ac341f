// What carries the bounds of a proof: per family of theorems, the tasks as analysed and the numbers of its inequality.
#pragma once

#include <algorithm>
#include <cstdint>
#include <variant>
#include <vector>

#include "rta/analysis/admission/hold.hpp"
#include "rta/analysis/cpu/gel.hpp"
#include "rta/analysis/cpu/gel_sequential.hpp"
#include "rta/analysis/executors/wait_set.hpp"
#include "rta/analysis/gpu/fifo_bounds.hpp"
#include "rta/analysis/hard/hard.hpp"
#include "rta/analysis/path/segments.hpp"
#include "rta/analysis/periodic/job_windows.hpp"
#include "rta/analysis/periodic/reachable_ends.hpp"
#include "rta/analysis/queue/workers.hpp"
#include "rta/analysis/threads/hold.hpp"
#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// T1 and its refinements on a CPU pool. Here and below tasks are numbered as in `PoolProof::tasks`.
struct GelEvidence {
  PoolId pool = 0;
  std::uint32_t processors = 1;
  std::vector<gel::Task> tasks;
  gel::Bounds bounds;
};

/// T3 or T4 on a CPU pool.
struct SequentialEvidence {
  PoolId pool = 0;
  std::uint32_t processors = 1;
  std::vector<gel::Task> tasks;
  gel_sequential::Bounds bounds;
};

/// T5 to T7 on a GPU.
struct KernelEvidence {
  PoolId pool = 0;
  GpuPool gpu;
  std::vector<fifo::Task> tasks;
  fifo::GpuBounds bounds;
};

/// T8 on one FIFO of items or copies. Its tasks are some of the pool's where each direction has a FIFO of its own.
struct QueueEvidence {
  PoolId pool = 0;
  std::uint32_t workers = 1;
  Time dispatch_overhead;
  std::vector<workers::Task> tasks;
  workers::Bounds bounds;
};

/// T10 and its refinements on whole DAGs or on segments.
struct PathEvidence {
  SegmentBounds bounds;
  std::vector<DagId> dags;  // of the proof, for each DAG of the bounds; empty: the same ones

  /// The DAG of the proof as the bounds number it, and back.
  [[nodiscard]] DagId place_of(DagId d) const { return dags.empty() ? d : static_cast<DagId>(std::ranges::find(dags, d) - dags.begin()); }
  [[nodiscard]] DagId dag_at(DagId place) const { return dags.empty() ? place : dags[place]; }
};

/// T16 to T18 on a CPU pool whose tasks are DAGs of one node.
struct HardEvidence {
  PoolId pool = 0;
  std::uint32_t processors = 1;
  hard::Order order = hard::Order::points;
  std::vector<hard::Task> tasks;
  hard::Bounds bounds;
};

/// T35 on all of a set whose DAGs are all periodic. DAGs and nodes are the proof's.
struct WindowEvidence {
  periodic::System system;
  std::vector<PoolId> pool_of;  // of the system's pools
  periodic::Windows windows;
};

/// T36, likewise.
struct ReachEvidence {
  periodic::System system;
  std::vector<PoolId> pool_of;
  periodic::Reached reached;
};

/// T21h, and T41 where some spin, on DAGs that are played by threads, each a body; pools are those of the system. Pieces are a DAG's nodes
/// in topological order.
struct ThreadEvidence {
  PathSystem system;
  std::vector<threads::Pool> pools;
  std::vector<threads::Body> bodies;
  threads::Holds holds;
  std::vector<DagId> dags;  // as in `PathEvidence`

  [[nodiscard]] DagId place_of(DagId d) const { return dags.empty() ? d : static_cast<DagId>(std::ranges::find(dags, d) - dags.begin()); }
  [[nodiscard]] DagId dag_at(DagId place) const { return dags.empty() ? place : dags[place]; }
};

/// T38 on DAGs that share pools, some with a limit of jobs under way; pools are those of the system, DAGs and nodes the task set's.
struct AdmissionEvidence {
  PathSystem system;
  std::vector<admission::Pool> pools;
  std::vector<admission::Dag> of;
  admission::Holds holds;
  std::vector<DagId> dags;  // as in `PathEvidence`

  [[nodiscard]] DagId place_of(DagId d) const { return dags.empty() ? d : static_cast<DagId>(std::ranges::find(dags, d) - dags.begin()); }
  [[nodiscard]] DagId dag_at(DagId place) const { return dags.empty() ? place : dags[place]; }
};

/// T19 and T19j on DAGs that share pools with an executor under the wait-set rule. Nodes of the system are those of its DAGs.
struct ExecutorEvidence {
  PathSystem system;
  executors::Bounds bounds;
  std::vector<DagId> dags;  // as in `PathEvidence`

  [[nodiscard]] DagId place_of(DagId d) const { return dags.empty() ? d : static_cast<DagId>(std::ranges::find(dags, d) - dags.begin()); }
  [[nodiscard]] DagId dag_at(DagId place) const { return dags.empty() ? place : dags[place]; }
};

using Evidence = std::variant<GelEvidence, SequentialEvidence, KernelEvidence, QueueEvidence, PathEvidence, HardEvidence, WindowEvidence,
                              ReachEvidence, ThreadEvidence, ExecutorEvidence, AdmissionEvidence>;

}  // namespace rta::analysis
