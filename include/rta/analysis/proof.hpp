// What was proven of a task set, for one way of releasing and ordering its nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/analysis/company.hpp"
#include "rta/analysis/evidence.hpp"
#include "rta/analysis/left_out.hpp"
#include "rta/analysis/reason.hpp"
#include "rta/analysis/theorem.hpp"
#include "rta/model/schedule.hpp"
#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// Why some bound is missing.
struct NoBound {
  Reason reason;
  std::optional<PoolId> pool;  // whose tasks the reason numbers, or which it is about
};

/// What a bound rests on: the theorem, and where its numbers are.
struct Basis {
  Theorem theorem = Theorem::none;
  std::uint32_t evidence = 0;  // index into Proof::evidence
  std::uint32_t place = 0;     // the task there; of path evidence, the node says it
  bool operator==(const Basis&) const = default;
};

struct Bound {
  Time R;  // whole ns, rounded up
  Basis basis;
  bool operator==(const Bound&) const = default;
};

struct NodeProof {
  std::optional<Time> reference;          // R counts from here, after the DAG's release: its offset Phi, its segment's, or 0 on completion;
                                          // none when something before it has no bound
  std::optional<Time> priority_point;     // Y, from the reference; CPU nodes under GEL only
  std::optional<FixedPriority> priority;  // CPU nodes under FP only
  std::size_t segment = 0;                // of its DAG; release on segments
  std::optional<Bound> bound;
  bool operator==(const NodeProof&) const = default;
};

struct DagProof {
  std::optional<Bound> bound;  // end to end
  std::vector<NodeId> critical_path;
  std::vector<NodeProof> nodes;  // as in the analysed task set

  /// Whether R <= D; true without a D, false without a bound.
  [[nodiscard]] bool meets(std::optional<Time> deadline) const { return bound && (!deadline || bound->R <= *deadline); }
};

/// A task of a pool: a node of the task set or, where groups await kernels, a node of the set before grouping.
struct PoolTask {
  DagId dag = 0;
  NodeId node = 0;
  bool awaited = false;
  std::optional<Bound> bound;  // of an awaited node; that of the others is in their DAG's proof
};

/// What was proven for the nodes of one pool.
struct PoolProof {
  std::vector<PoolTask> tasks;
  double utilization = 0;                            // processors (CPU), G-threads (GPU), engines or workers; for people
  std::optional<double> busy;                        // GPU with one FIFO: the kernels' time alone, one after another, 1: always (T27)
  double awaiting = 0;                               // beside it: the time in which groups await kernels, which counts as their work
  double capacity = 0;                               // up to which the theorems give bounds; 0: they do not apply; for people
  std::vector<Theorem> theorems;                     // behind its tasks' bounds, each once
  std::optional<NoBound> none;                       // why some task has no bound
  std::optional<fifo::BlockingConfiguration> worst;  // GPU: the blocking configuration with the fewest G-threads in use
  bool deadline_monotonic = false;                   // under FP, without priorities of its nodes
  std::optional<Time> largest_lateness;              // at offsets: max over the nodes of R - D (D: the node's relative deadline)

  [[nodiscard]] bool bounded() const { return !none; }
};

enum class Granularity : std::uint8_t { fine, coarse, monolithic };

struct Proof {
  std::shared_ptr<const TaskSet> task_set;                // as analysed
  std::shared_ptr<const TaskSet> ungrouped;               // where groups are tasks, the set before; else null
  std::shared_ptr<const CompanyProof> company = nullptr;  // where durations were measured alone; `task_set` then has those in company
  Release release = Release::offsets;
  std::vector<PoolId> ordered_by_node;  // CPU pools on which nodes have points of their own, on completion
  std::vector<PoolProof> pools;         // as task_set->pools()
  std::vector<DagProof> dags;           // as task_set->dags()
  std::vector<Evidence> evidence;
  std::vector<DagProof> before_reach = {};  // what was proven before T36 was asked; empty: it has not said more
  std::vector<LeftOut> left_out = {};
  std::vector<std::string> warnings;
};

/// The task set as it was given, before company was added to durations that were measured alone.
[[nodiscard]] inline const std::shared_ptr<const TaskSet>& as_given(const Proof& proof) {
  return proof.company ? proof.company->alone : proof.task_set;
}

enum class Verdict : std::uint8_t { schedulable, deadline_missed, unbounded };
[[nodiscard]] std::string_view to_string(Verdict verdict);
[[nodiscard]] Verdict verdict_of(const Proof& proof);

/// The first reason why some pool has no bound; null when all have.
[[nodiscard]] const NoBound* why_unbounded(const Proof& proof);
/// The same for the pools of one DAG.
[[nodiscard]] const NoBound* why_unbounded(const Proof& proof, DagId d);

}  // namespace rta::analysis
