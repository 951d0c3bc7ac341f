#include "analysis/search/audsley.hpp"

#include <algorithm>

namespace rta::analysis {

std::optional<std::vector<std::size_t>> audsley_order(std::vector<std::size_t> candidates,
                                                      const std::function<bool(std::size_t, std::span<const std::size_t>)>& fits) {
  std::vector<std::size_t> lowest_first;
  while (!candidates.empty()) {
    bool found = false;
    for (std::size_t i = 0; i < candidates.size() && !found; ++i) {
      const std::size_t which = candidates[i];
      std::vector<std::size_t> more_urgent = candidates;
      more_urgent.erase(more_urgent.begin() + static_cast<std::ptrdiff_t>(i));
      if (!fits(which, more_urgent)) continue;
      lowest_first.push_back(which);
      candidates = std::move(more_urgent);
      found = true;
    }
    if (!found) return std::nullopt;
  }
  std::ranges::reverse(lowest_first);
  return lowest_first;
}

}  // namespace rta::analysis
