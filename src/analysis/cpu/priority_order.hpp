// What T1 and T3 share: priority points counted from the least one, and the work that they let pass.
#pragma once

#include <algorithm>
#include <span>

#include "rta/analysis/cpu/gel.hpp"
#include "rta/analysis/fine.hpp"

namespace rta::analysis::gel {

/// min Y. Requires at least one task.
[[nodiscard]] inline Time least_Y(std::span<const Task> tasks) {
  return std::min_element(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.Y < b.Y; })->Y;
}

/// V_i = C_i max(0, 1 - Y'_i / T_i) with Y' = Y - shift, rounded up.
[[nodiscard]] inline FineTime carried_demand(const Task& task, Time shift) {
  const Wide room = Wide{task.T.count()} - (Wide{task.Y.count()} - shift.count());
  return room <= 0 ? FineTime{} : fine_ceil(task.C.count() * room, task.T.count());
}

}  // namespace rta::analysis::gel
