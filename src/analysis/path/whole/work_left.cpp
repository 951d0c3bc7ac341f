#include "analysis/path/whole/work_left.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace rta::analysis::path {

WorkLeft WorkLeft::of(const Ticks& ticks, const Class& c) {
  WorkLeft left;
  std::vector<std::int64_t> end(c.size(), 0);
  std::vector<std::pair<std::int64_t, std::int64_t>> starts;  // times, and whether a node starts then or ends: 1 or -1
  starts.reserve(2 * c.size());
  for (const std::uint32_t v : c.order) {
    const std::int64_t C = ticks.whole_ns(c.e[v]);
    for (const std::uint32_t w : c.predecessors(v)) end[v] = std::max(end[v], end[w]);
    starts.emplace_back(end[v], 1);
    end[v] += C;
    starts.emplace_back(end[v], -1);
    left.V += C;
    left.longest = std::max(left.longest, end[v]);
  }
  std::ranges::sort(starts);
  std::int64_t running = 0;
  std::int64_t until = left.longest;
  for (auto at = starts.rbegin(); at != starts.rend(); ++at) {
    if (until > at->first) left.last.push_back({until - at->first, running});
    until = at->first;
    running -= at->second;
  }
  return left;
}

}  // namespace rta::analysis::path
