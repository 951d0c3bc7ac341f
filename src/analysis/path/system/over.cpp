#include "analysis/path/system/over.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "rta/model/error.hpp"

namespace rta::analysis::path {

std::vector<std::size_t> path_over(const Class& c, std::size_t v, std::span<const Tick> length, PoolSet over) {
  std::vector<std::size_t> path{v};
  while (!c.predecessors(v).empty()) {
    std::optional<std::pair<std::size_t, PoolSet>> before;
    for (const std::uint32_t w : c.predecessors(v)) {
      for (const PoolSet& set : c.pool_sets_of(w)) {
        if (set.length + length[v] != over.length || (set.mask & ~over.mask) != 0) continue;
        const bool all = (set.mask | c.pays[v]) == over.mask;
        if (!before || all) before.emplace(w, set);
      }
    }
    require(before.has_value(), "the length of a pool set is that of a path");
    std::tie(v, over) = *before;
    path.push_back(v);
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace rta::analysis::path
