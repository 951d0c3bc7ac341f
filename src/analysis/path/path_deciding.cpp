#include "analysis/path/path_deciding.hpp"

#include <algorithm>
#include <limits>

#include "analysis/path/system/over.hpp"

namespace rta::analysis::path {
namespace {

Time largest_end(const NodeBounds& bounds) {
  Time largest;
  for (const auto& row : bounds.F) largest = std::max(largest, *std::ranges::max_element(row));
  return largest;
}

}  // namespace

bool DecidingPaths::applies(const System& system) {
  return !has_release_jitter(system) && std::ranges::none_of(system.pools, [](const Pool& pool) { return pool.slices.has_value(); });
}

DecidingPaths::DecidingPaths(const System& system, const NodeBounds& bounds)
    : ticks_(to_ticks(system, std::numeric_limits<std::int64_t>::max(), largest_end(bounds), true)), nodes_(ticks_, Refinement::T10n) {
  for (std::size_t k = 0; k < ticks_.classes.size(); ++k) {
    const auto& ends = bounds.F[ticks_.classes[k].dags.front()];
    std::ranges::transform(ends, nodes_.F[k].begin(), [](Time F) { return F.count(); });
    nodes_.changed(k);
  }
  nodes_.prepare();
  for (std::size_t k = 0; k < ticks_.classes.size(); ++k) nodes_.prepare(k);
}

std::vector<std::size_t> DecidingPaths::to(std::size_t k, std::size_t v) const {
  const std::size_t of = ticks_.class_of[k];
  const Class& c = ticks_.classes[of];
  const auto waiting = nodes_.waiting(of, v);
  PoolSet decisive;
  Tick total = Tick::min();
  for (const PoolSet& set : c.pool_sets_of(v)) {
    const Tick length = longest_with_waiting(std::span(&set, 1), waiting);
    if (length <= total) continue;
    total = length;
    decisive = set;
  }
  return path_over(c, v, nodes_.blocked_lengths(of), decisive);
}

}  // namespace rta::analysis::path
