// What refines T1: T1e and T1c together with T1r and T1n, repeated until nothing improves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rta/analysis/cpu/gel.hpp"

namespace rta::analysis::gel {

/// The bound of one task from what its pool shares: Y'_k + (carry + demand)/m + (m-1)/m C_k, rounded up.
[[nodiscard]] Time bound(const Task& task, const Terms& terms, std::uint32_t processors);

/// Lowers `bounds`, which hold T1's terms, bounds and names, and says what proves those that are below the bounds from the terms. Requires
/// U <= m and some work.
void refine(std::span<const Task> tasks, std::uint32_t processors, const Utilization& U, Refinement refinement, Bounds& bounds);

/// Whether T1n proves R[k] from R. `blocked`: T1bn in its place, work of jobs with later points that have started, of task k.
[[nodiscard]] bool follows_from_proven(std::span<const Task> tasks, std::uint32_t processors, std::span<const Time> R, std::size_t k,
                                       std::optional<Wide> blocked = std::nullopt);

/// T1n (T1bn, with `blocked` per task, unless that is empty) within `budget` pairs of tasks (each costs some ten ns); leaves as `proven`
/// what they do not suffice for.
[[nodiscard]] std::vector<Time> bounds_from_proven(std::span<const Task> tasks, std::uint32_t processors, std::span<const Time> proven,
                                                   std::size_t& budget, std::span<const Wide> blocked = {});

}  // namespace rta::analysis::gel
