// Runs of periodic DAGs in which jobs start in a given order, as an analysis says that they may.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "rta/simulate/simulate.hpp"

namespace rta::simulate {

inline constexpr std::size_t no_queue = std::numeric_limits<std::size_t>::max();

struct WantedStarts {
  /// In the order of their starts in each queue; the last one is the job that is to end late.
  std::vector<JobId> jobs;
  /// DAG, node: the queue in which it waits, or `no_queue` where the order there is of no concern.
  std::vector<std::vector<std::size_t>> queues;
  std::vector<bool> by_ready;  // queue: it is a FIFO
  Time until;                  // DAGs are released up to this instant
};

struct Witness {
  Options run;  // `simulate` with it shows
  Time end;     // the latest that was seen of the job, from its nominal release
  bool in_order = false;
  std::size_t runs = 0;  // that were tried
};

/// Plays them with the latest releases and the longest execution times, then makes these sooner and shorter where a job comes too late for
/// its place, and keeps the run in which the job ends latest. `base`: placement, streams and limits. Requires periodic DAGs, and nodes that
/// start on completion. Throws as `simulate`.
[[nodiscard]] Witness play_starts(const TaskSet& task_set, const Schedule& schedule, const Options& base, const WantedStarts& wanted);

}  // namespace rta::simulate
