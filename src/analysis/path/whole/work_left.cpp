#include "analysis/path/whole/work_left.hpp"

#include <map>

namespace rta::analysis::path {

WorkLeft WorkLeft::of(const Ticks& ticks, const Class& c) {
  WorkLeft left;
  std::vector<std::int64_t> end(c.size(), 0);
  std::map<std::int64_t, std::int64_t> starts;  // time -> nodes that start then, less those that end
  for (const std::uint32_t v : c.order) {
    const std::int64_t C = ticks.whole_ns(c.e[v]);
    for (const std::uint32_t w : c.predecessors(v)) end[v] = std::max(end[v], end[w]);
    ++starts[end[v]];
    end[v] += C;
    --starts[end[v]];
    left.V += C;
    left.longest = std::max(left.longest, end[v]);
  }
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
