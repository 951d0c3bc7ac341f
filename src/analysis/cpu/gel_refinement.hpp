// What refines T1: T1e and T1c together with T1r and T1n, repeated until nothing improves.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rta/analysis/cpu/gel.hpp"

namespace rta::analysis::gel {

/// The bound of one task from what its pool shares: Y'_k + (carry + demand)/m + (m-1)/m C_k, rounded up.
[[nodiscard]] Time bound(const Task& task, const Terms& terms, std::uint32_t processors);

/// Lowers `bounds`, which hold T1's terms and bounds. For each task, whether T1r or T1n proves what is below the bound from the terms.
/// Requires U <= m and some work.
[[nodiscard]] std::vector<Theorem> refine(std::span<const Task> tasks, std::uint32_t processors, const Utilization& U,
                                          Refinement refinement, Bounds& bounds);

/// T1n within `budget` pairs of tasks (each costs some ten ns); leaves as `proven` what they do not suffice for.
[[nodiscard]] std::vector<Time> bounds_from_proven(std::span<const Task> tasks, std::uint32_t processors, std::span<const Time> proven,
                                                   std::size_t& budget);

}  // namespace rta::analysis::gel
