// Work counted at many points at once, where many nodes ask for the same function.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// Adds, at each of the sorted `points` x >= 0, ceil((F + x)/T) times `work`. `steps` receives differences: the work at points[i] is the
/// sum of steps[0 .. i]. Takes time in the number of jobs, not of the points.
inline void add_work(std::int64_t F, std::int64_t T, Tick work, std::span<const std::int64_t> points, std::span<Tick> steps) {
  std::int64_t jobs = jobs_in(F + points[0], T);
  steps[0] += jobs * work;
  for (std::size_t i = 0;;) {
    const std::int64_t last = jobs * T - F;  // largest x with so many jobs
    if (last >= points.back()) break;
    i = static_cast<std::size_t>(std::upper_bound(points.begin() + static_cast<std::ptrdiff_t>(i), points.end(), last) - points.begin());
    const std::int64_t now = jobs_in(F + points[i], T);
    steps[i] += (now - jobs) * work;
    jobs = now;
  }
}

/// The same for all of c's nodes on one pool: copies * ceil((F_u + x + J)/T) vol_u. Whoever has work ends above 0.
inline void add_work(const Class& c, std::size_t local, std::int64_t copies, const std::vector<std::int64_t>& F,
                     std::span<const std::int64_t> points, std::span<Tick> steps) {
  for (std::size_t u = 0; u < c.size(); ++u) {
    if (c.pool_of[u] != local || c.vol[u] == Tick::zero()) continue;
    add_work(F[u] + c.J, c.T, copies * c.vol[u], points, steps);
  }
}

[[nodiscard]] inline std::vector<std::int64_t> sorted_without_repeats(std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// The place of the first that is above x.
[[nodiscard]] inline std::size_t first_above(std::span<const std::int64_t> sorted, std::int64_t x) {
  return static_cast<std::size_t>(std::upper_bound(sorted.begin(), sorted.end(), x) - sorted.begin());
}

/// A function known at sorted points.
struct Table {
  std::vector<std::int64_t> points;  // ns
  std::vector<Tick> values;
  [[nodiscard]] Tick at(std::int64_t x) const {
    return values[static_cast<std::size_t>(std::lower_bound(points.begin(), points.end(), x) - points.begin())];
  }
};

}  // namespace rta::analysis::path
