// T3, T4, T3b without preemption: response-time bounds on a CPU pool for sequential tasks (job j+1 waits for job j)
// (Erickson, Anderson, Ward 2014: compliant vector; Devi, Anderson 2008).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rta/analysis/cpu/gel.hpp"
#include "rta/analysis/left_out.hpp"

namespace rta::analysis::gel_sequential {

using gel::Task;

/// T4's sums.
struct DeviAndersonTerms {
  Wide E = 0;  // sum of the ceil(U) - 1 largest C_i, ns
  Time C_min;
  Wide M = 0;  // sum of the ceil(U) - 2 largest u_i, each rounded up, in units of 2^-bits
  int bits = 0;

  /// max(0, (E - C_min) / (m - M)), rounded up. M < m because every u_i <= 1.
  [[nodiscard]] FineTime x(std::uint32_t processors) const;
};

struct Bounds {
  Theorem theorem = Theorem::T3;
  std::size_t carriers = 0;  // ceil(U) - 1; T3b: c - 1
  FineTime s;                // T3, T3b: the solution of s = G(s) + S, rounded up; T4: x, rounded up
  DeviAndersonTerms T4;
  std::vector<Time> R;  // one per task, whole ns, rounded up
  std::vector<LeftOut> left_out;
};

/// T3, any GEL scheduler: R_i = Y'_i + x_i + C_i with x_i = max(0, (s - C_i)/m). Unbounded when U > m or some u_i > 1. Requires
/// C >= 0, T > 0 and at least one processor. Throws `Overflow`.
[[nodiscard]] Result<Bounds> response_bounds(std::span<const Task> tasks, std::uint32_t processors);

/// T3b: the same where a job that has started runs to its end.
[[nodiscard]] Result<Bounds> non_preemptive_bounds(std::span<const Task> tasks, std::uint32_t processors);

/// T4: G-EDF with implicit deadlines (Y is ignored: D = T): R_i = T_i + x + C_i. Unbounded and errors as T3.
[[nodiscard]] Result<Bounds> devi_anderson_bounds(std::span<const Task> tasks, std::uint32_t processors);

}  // namespace rta::analysis::gel_sequential
