#include "analysis/path/path_over.hpp"

#include <algorithm>

namespace rta::analysis::path {
namespace {

/// The longest path to v over the pools of `mask`.
std::vector<std::size_t> longest_path(const Class& c, std::size_t v, std::span<const std::int64_t> length, std::uint64_t mask) {
  constexpr std::int64_t impossible = INT64_MIN;
  std::vector<std::int64_t> best(c.size(), impossible);
  std::vector<std::size_t> before(c.size(), c.size());
  for (const std::uint32_t u : c.order) {
    if ((c.pays[u] & ~mask) != 0) continue;
    std::int64_t so_far = c.predecessors(u).empty() ? 0 : impossible;
    for (const std::uint32_t w : c.predecessors(u)) {
      if (best[w] <= so_far) continue;
      so_far = best[w];
      before[u] = w;
    }
    if (so_far != impossible) best[u] = so_far + length[u];
  }
  std::vector<std::size_t> path;
  for (; v != c.size(); v = before[v]) path.push_back(v);
  std::ranges::reverse(path);
  return path;
}

}  // namespace

std::vector<std::size_t> path_over(const Class& c, std::size_t v, std::span<const std::int64_t> length, PoolSet over) {
  const std::uint64_t mask = over.mask;
  std::vector<std::size_t> path{v};
  while (!c.predecessors(path.back()).empty()) {
    const std::size_t at = path.back();
    const auto leads_here = [&](const PoolSet& set) {
      return (set.mask | c.pays[at]) == over.mask && set.length + length[at] == over.length;
    };
    const PoolSet* before = nullptr;
    for (const std::uint32_t w : c.predecessors(at)) {
      const auto sets = c.pool_sets_of(w);
      const auto set = std::ranges::find_if(sets, leads_here);
      if (set == sets.end()) continue;
      before = &*set;
      path.push_back(w);
      break;
    }
    if (before == nullptr) return longest_path(c, v, length, mask);
    over = *before;
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace rta::analysis::path
