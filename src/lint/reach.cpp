#include "reach.hpp"

#include <algorithm>
#include <set>

namespace rta::lint {

std::vector<Way> reach(const Program& program, RuleId rule, const std::function<bool(std::uint32_t site, const Hit& hit)>& counts) {
  const auto& sites = program.sites();
  std::vector<Way> by(program.nodes().size());
  std::vector<std::uint32_t> queue;
  const auto found = [&](std::uint32_t node, std::uint32_t site, std::uint32_t end) {
    if (node == no_index || by[node].site != no_index) return;
    by[node] = {site, end};
    queue.push_back(node);
  };
  for (std::uint32_t s = 0; s < sites.size(); ++s) {
    for (const Hit& hit : sites[s].hits) {
      if (hit.rule == rule && !hit.everywhere && counts(s, hit)) found(sites[s].node, s, s);
    }
  }
  if (queue.empty()) return by;
  std::vector<std::vector<std::uint32_t>> callers(program.nodes().size());
  std::vector<std::size_t> left(sites.size());  // callees that do not lead there yet
  for (std::uint32_t s = 0; s < sites.size(); ++s) {
    const std::set<std::uint32_t> callees(sites[s].callees.begin(), sites[s].callees.end());
    left[s] = callees.size();
    for (const std::uint32_t callee : callees) callers[callee].push_back(s);
  }
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (const std::uint32_t site : callers[queue[next]]) {
      if (--left[site] == 0) found(sites[site].node, site, by[sites[site].callees.front()].end);
    }
  }
  return by;
}

}  // namespace rta::lint
