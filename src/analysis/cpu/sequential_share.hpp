// Terms of T3 and T3b that solvers and explanations evaluate alike.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rta/analysis/cpu/gel_sequential.hpp"

namespace rta::analysis::gel_sequential {

/// late u / m, rounded up or down.
[[nodiscard]] FineTime share(FineTime late, const Task& task, Wide m, bool up = true);

/// Y'_i + x_i(s) + C_i with x_i(s) = max(0, (s - C_i)/m), rounded up. `s` solves T3's or T3b's inequality.
[[nodiscard]] std::vector<Time> bounds_by(std::span<const Task> tasks, FineTime s, std::uint32_t processors);

}  // namespace rta::analysis::gel_sequential
