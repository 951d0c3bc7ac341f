#include "reach.hpp"

#include <algorithm>
#include <set>

namespace rta::lint {

std::uint32_t leading(const Site& site, const std::vector<Way>& ways) {
  const auto leads = [&](std::uint32_t callee) { return ways[callee].site != no_index; };
  const auto first = std::ranges::find_if(site.callees, leads);
  if (first == site.callees.end() || (!site.is_virtual && !std::ranges::all_of(site.callees, leads))) return no_index;
  return *first;
}

std::vector<Way> reach(const Program& program, RuleId rule, const std::function<bool(std::uint32_t site, const Hit& hit)>& counts) {
  const auto& sites = program.sites();
  std::vector<Way> by(program.nodes().size());
  std::vector<std::uint32_t> queue;
  const auto found = [&](std::uint32_t node, Way way) {
    if (node == no_index || by[node].site != no_index) return;
    by[node] = way;
    queue.push_back(node);
  };
  for (std::uint32_t s = 0; s < sites.size(); ++s) {
    for (const Hit& hit : sites[s].hits) {
      if (hit.rule == rule && !hit.everywhere && counts(s, hit)) found(sites[s].node, {s, no_index, s});
    }
  }
  if (queue.empty()) return by;
  std::vector<std::vector<std::uint32_t>> callers(program.nodes().size());
  std::vector<std::size_t> left(sites.size());  // callees that do not lead there yet
  for (std::uint32_t s = 0; s < sites.size(); ++s) {
    const std::set<std::uint32_t> callees(sites[s].callees.begin(), sites[s].callees.end());
    left[s] = sites[s].is_virtual ? 1 : callees.size();
    for (const std::uint32_t callee : callees) callers[callee].push_back(s);
  }
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (const std::uint32_t site : callers[queue[next]]) {
      if (left[site] == 0 || --left[site] > 0) continue;
      const std::uint32_t callee = leading(sites[site], by);
      found(sites[site].node, {site, callee, by[callee].end});
    }
  }
  return by;
}

}  // namespace rta::lint
