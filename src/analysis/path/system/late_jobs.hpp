// Release jitter: how many jobs count (T12).
#pragma once

#include <algorithm>
#include <cstdint>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// How many releases of another DAG, each up to J late, a half-open interval holds at most.
[[nodiscard]] inline std::int64_t late_jobs_in(std::int64_t length, std::int64_t T, std::int64_t J) {
  return length <= 0 ? 0 : jobs_in(length + J, T);
}

/// Jobs of the path's own DAG released in (r - F, r + lim], where J was released at r: the job itself unless its node cannot be ready yet,
/// and the most that its nominal instant z before r leaves of earlier and later ones.
[[nodiscard]] inline std::int64_t own_late_jobs(std::int64_t lim, std::int64_t F, std::int64_t T, std::int64_t J, bool strict_descendant) {
  const auto others = [&](std::int64_t z) {
    const std::int64_t later = z + lim > 0 ? (z + lim) / T : 0;
    return jobs_in(std::min(z + lim, -T) - z + F + J, T) + later;
  };
  // Earlier jobs become fewer as z grows, later ones more where z + lim comes to a multiple of T.
  std::int64_t most = others(0);
  if (J == 0) return (lim >= 0 && !strict_descendant ? 1 : 0) + most;
  for (std::int64_t z = lim < 0 ? -lim : T - lim % T; z <= J; z += T) most = std::max(most, others(z));
  return (lim >= 0 && !strict_descendant ? 1 : 0) + most;
}

}  // namespace rta::analysis::path
