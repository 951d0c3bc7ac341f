// Fixed priorities as levels of SCHED_FIFO.
#pragma once

#include <string>
#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::validation {

/// Levels that jobs may have: `common/scheduling.hpp` of the runtime. Above them runs what releases jobs and launches kernels.
inline constexpr int highest_job_level = 95;
inline constexpr int lowest_job_level = 2;

struct FifoLevels {
  PerNode<int> of;                 // 0 on pools that are not under FP
  std::vector<std::string> notes;  // where levels are not the priorities themselves
};

/// The priorities of a pool are its nodes' levels where all of them may be; else the pool's levels follow in the order of its priorities,
/// from the lowest upwards. Throws `UserError` where a pool has more priorities than there are levels.
[[nodiscard]] FifoLevels fifo_levels(const TaskSet& task_set);

}  // namespace rta::validation
