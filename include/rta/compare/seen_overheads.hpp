// What a machine adds to the nodes that it plays: wake-ups, launches, and the way back of a kernel's end.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rta/model/task_set.hpp"
#include "rta/trace/record.hpp"

namespace rta::compare {

/// Of the jobs on a pool that nothing but the machine could delay.
struct SeenOverhead {
  PoolId pool = 0;
  std::uint64_t jobs = 0;
  Time median, of_99_percent, max;

  /// Whether the longest is of the size of the others: else something ran beside the program.
  [[nodiscard]] bool quiet() const;
  /// What C and L should have for it, `--overhead`: the longest on a quiet machine, else what 99 of 100 do not exceed, and a quarter more,
  /// in whole 5 us.
  [[nodiscard]] Time proposed() const;
};

/// From the instant at which a node could start (its DAG's release and the ends of its predecessors; where nodes have offsets, its entry
/// into the queue) to its end, less its execution. Counted are jobs beside which no more jobs of their pool were under way than it has
/// processors, and, on other pools, none; and no job of a DAG whose nodes wait for threads, for other jobs or in streams.
class OverheadsSeen {
 public:
  OverheadsSeen(const TaskSet& task_set, const trace::Header& header);

  void dag(DagId d, std::uint64_t job, Time release);
  void job(DagId d, NodeId v, std::uint64_t job, Time release, Time end);
  /// A run of a job on a processor.
  void ran(DagId d, NodeId v, std::uint64_t job, Time length);
  /// A block, a copy or an item: a job lasts from the first start to the last end.
  void ran(DagId d, NodeId v, std::uint64_t job, Time start, Time end);

  /// Of the pools with such jobs, in their order; nothing of a simulated trace. Requires that the whole trace has been read.
  [[nodiscard]] std::vector<SeenOverhead> seen() const;

 private:
  struct Part {
    bool ended = false;
    Time release, end;
    Time ran;                         // of runs
    std::optional<Time> first, last;  // of pieces
  };
  struct DagJob {
    std::optional<Time> release;
    std::size_t ended = 0;
    std::vector<Part> parts;
  };
  struct Stay {
    Time ready, end, added;
    bool counts = false;
  };
  DagJob& at(DagId d, std::uint64_t job);
  void take_if_whole(DagId d, std::uint64_t job);

  const TaskSet& task_set_;
  bool measured_, on_completion_;
  std::vector<bool> plain_;  // DAGs
  std::vector<std::map<std::uint64_t, DagJob>> jobs_;
  std::vector<std::vector<Stay>> stays_;  // of each pool
  std::size_t kept_ = 0;
};

}  // namespace rta::compare
