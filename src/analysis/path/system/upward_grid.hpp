// How far apart the ends lie that a search upwards tries, where terms are fractions.
#pragma once

#include <algorithm>
#include <cstdint>

#include "analysis/path/rules.hpp"
#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// In ns; 1 where all terms are whole jobs.
[[nodiscard]] inline std::int64_t upward_grid(const Ticks& ticks, const Rules& rules) {
  if (rules.count_whole_jobs()) return 1;
  std::int64_t T = INT64_MAX;
  for (const Class& c : ticks.classes) T = std::min(T, c.T);
  return std::max<std::int64_t>(1, T / 4096);
}

/// The least multiple of `grid` that is no less.
[[nodiscard]] inline std::int64_t ceil_to(std::int64_t bound, std::int64_t grid) { return bound + (grid - bound % grid) % grid; }

}  // namespace rta::analysis::path
