// T1r: what a GEL pool has left to do, and still gets to do, at the release of a job.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rta/analysis/cpu/gel.hpp"

namespace rta::analysis::gel {

/// sum over i of C_i max(0, 1 - (Y_i - Y)/T_i), rounded up: what precedes a job with priority point `Y` after its release, beyond what the
/// tasks' utilizations make of the time before it.
[[nodiscard]] FineTime released_demand(std::span<const Task> tasks, Time Y);

/// The same for the points of all tasks, one per task. Takes a step for each pair of tasks with different T and Y off `budget`; empty where
/// that is too little.
[[nodiscard]] std::vector<FineTime> released_demands(std::span<const Task> tasks, std::size_t& budget);

/// T1r: C + (carry + demand - C)/m, rounded up. `carry`: (ceil(U) - 1) pieces of work (T1c).
[[nodiscard]] Time bound_from_release(const Task& task, FineTime carry, FineTime demand, std::uint32_t processors);

}  // namespace rta::analysis::gel
