// The first part of a schedule in memory: what ran where, and when each job was released, started and ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rta/model/gpu_call.hpp"
#include "rta/model/stream_priority.hpp"
#include "rta/simulate/observer.hpp"
#include "rta/trace/labels.hpp"

namespace rta::trace {

/// What ran on a unit of a pool: a block, or several of one job that started and ended together; an item, a copy, a run.
struct Bar {
  PoolId pool = 0;
  std::uint32_t unit = 0;
  simulate::JobId id;
  std::uint64_t block = 0;   // the first; blocks and items only
  std::uint32_t blocks = 0;  // 0: neither blocks nor items
  Time start, end;
};

/// A job of a node. `release`: when it entered its stream or its pool's queue.
struct TimelineJob {
  simulate::JobId id;
  Time release, start, end;
};

/// A job of a DAG that has ended.
struct TimelineDagJob {
  DagId dag = 0;
  std::uint64_t job = 0;
  Time release, end;
  std::optional<Time> deadline;  // the instant

  [[nodiscard]] bool missed() const { return deadline && end > *deadline; }
};

/// What a timeline needs to know of a node.
struct TimelineNode {
  std::uint32_t threads = 1;  // G-threads per block; 1: no kernel
  StreamPriority priority = low_priority;
  bool sequential = false;
  std::string stream;             // empty: one per job
  const GpuCall* call = nullptr;  // of an experiment's call
  bool by_memcpy = false;         // a copy by cudaMemcpy
};

/// What the units of a pool's bars are.
enum class Units : std::uint8_t {
  numbered,  // processors, SMs, engines or workers
  unknown,   // bars are jobs as a whole, from their first start to their end; where they ran is not known
  single     // the pool is one of them
};

/// What a timeline needs to know of the system.
struct TimelineSystem {
  Labels labels;
  std::vector<std::uint32_t> threads;            // per pool: G-threads per SM; 1 for others
  std::vector<std::vector<TimelineNode>> nodes;  // per DAG
  std::vector<std::optional<Time>> deadlines;    // per DAG, relative
  bool experiment = false;                       // each node once: every block is kept apart
  std::vector<Units> units = {};                 // per pool; empty: all are numbered
};

/// Keeps what runs in [from, to), up to `most` bars.
class Timeline : public simulate::Observer {
 public:
  Timeline(TimelineSystem system, Time from, Time to, std::size_t most);

  void dag(DagId dag, std::uint64_t job, Time release, Time end) override;
  void job(simulate::JobId id, Time release, Time start, Time end) override;
  void block(simulate::JobId id, std::uint64_t block, std::uint32_t sm, Time start, Time end) override;
  void copy(simulate::JobId id, std::uint32_t engine, Time start, Time end) override;
  void run(simulate::JobId id, std::uint32_t cpu, Time start, Time end) override;

  [[nodiscard]] const std::vector<Bar>& bars() const { return bars_; }
  [[nodiscard]] const std::vector<TimelineJob>& jobs() const { return jobs_; }
  [[nodiscard]] const std::vector<TimelineDagJob>& dag_jobs() const { return dag_jobs_; }
  /// Bars that run in the window but were not kept.
  [[nodiscard]] std::uint64_t left_out() const { return left_out_; }
  /// The earliest start among them.
  [[nodiscard]] Time complete_until() const { return complete_until_; }
  [[nodiscard]] Time from() const { return from_; }
  [[nodiscard]] Time to() const { return to_; }

  [[nodiscard]] const Labels& labels() const { return system_.labels; }
  [[nodiscard]] const TimelineSystem& system() const { return system_; }
  [[nodiscard]] const TimelineNode& node(simulate::JobId id) const { return system_.nodes[id.dag][id.node]; }
  [[nodiscard]] PoolId pool(simulate::JobId id) const { return system_.labels.dags[id.dag].nodes[id.node].pool; }
  [[nodiscard]] PoolKind kind(PoolId pool) const { return system_.labels.pools[pool].kind; }
  [[nodiscard]] Units units(PoolId pool) const { return system_.units.empty() ? Units::numbered : system_.units[pool]; }

 private:
  void keep(const Bar& bar);

  TimelineSystem system_;
  Time from_, to_;
  std::size_t most_;
  std::vector<Bar> bars_;
  std::vector<TimelineJob> jobs_;
  std::vector<TimelineDagJob> dag_jobs_;
  std::map<std::pair<PoolId, std::uint32_t>, std::size_t> last_;  // the last bar of each unit
  std::uint64_t left_out_ = 0;
  Time complete_until_;
};

/// What a timeline knows of a task set. `stream_per_task`: kernels and copies of one node share a stream.
[[nodiscard]] TimelineSystem timeline_system(const TaskSet& task_set, bool stream_per_task);
/// The timeline of a task set or of an experiment.
[[nodiscard]] Timeline timeline(const TaskSet& task_set, Time from, Time to, std::size_t most, bool stream_per_task = false);
[[nodiscard]] Timeline timeline(const Experiment& experiment, Time from, Time to, std::size_t most);

}  // namespace rta::trace
