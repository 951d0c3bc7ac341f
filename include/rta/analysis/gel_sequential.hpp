// T3, T4: response-time bounds on a CPU pool for sequential tasks (job j+1 waits for job j)
// (Erickson, Anderson, Ward 2014: compliant vector; Devi, Anderson 2008).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rta/analysis/gel.hpp"

namespace rta::analysis::gel_sequential {

using gel::Task;

struct Bounds {
  FineTime s;           // T3: the solution of s = G(s) + S, rounded up; T4: x, rounded up
  std::vector<Time> R;  // one per task, whole ns, rounded up
};

/// T3, any GEL scheduler: R_i = Y'_i + x_i + C_i with x_i = max(0, (s - C_i)/m). Unbounded when U > m or some u_i > 1 (the task's index is
/// named as `task #i`, counted from 0). Requires C >= 0, T > 0 and at least one processor (throws std::invalid_argument otherwise).
/// Throws `Overflow`.
[[nodiscard]] Result<Bounds> response_bounds(std::span<const Task> tasks, std::uint32_t processors);

/// T4: G-EDF with implicit deadlines (Y is ignored: D = T): R_i = T_i + x + C_i. Unbounded and errors as T3.
[[nodiscard]] Result<Bounds> devi_anderson_bounds(std::span<const Task> tasks, std::uint32_t processors);

/// The bound of task k with its numbers put in, line by line.
[[nodiscard]] std::vector<std::string> explain(std::span<const Task> tasks, std::uint32_t processors, const Bounds& bounds, std::size_t k,
                                               const TaskNames& names = {});
[[nodiscard]] std::vector<std::string> explain_devi_anderson(std::span<const Task> tasks, std::uint32_t processors, const Bounds& bounds,
                                                             std::size_t k);

}  // namespace rta::analysis::gel_sequential
