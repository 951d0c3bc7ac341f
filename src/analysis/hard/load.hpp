// T18 for one task.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "rta/analysis/hard/hard.hpp"

namespace rta::analysis::hard {

/// Whether T18 may be asked: 0 < C_i <= Y_i <= T_i for all tasks, C_i = 0 too.
[[nodiscard]] bool have_deadlines(std::span<const Task> tasks);

/// Some sigma >= C_k/Y_k with sum min(f_i(t, sigma), t) <= (m - (m-1) sigma) t for all t >= Y_k. `terms`: how many terms of sums may be
/// spent, and are.
[[nodiscard]] std::optional<Density> load_allows(std::span<const Task> tasks, std::uint32_t processors, std::size_t k, std::size_t& terms);

}  // namespace rta::analysis::hard
