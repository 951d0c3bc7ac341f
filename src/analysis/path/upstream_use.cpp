#include "analysis/path/upstream_use.hpp"

#include <algorithm>

#include "analysis/path/path_nodes.hpp"
#include "rta/model/utilization.hpp"

namespace rta::analysis::path {

UpstreamUse use_of_upstream(const System& system) {
  const Ticks ticks = to_ticks(system, Limits{}, false);
  UpstreamUse use;
  for (const Class& c : ticks.classes) use.pairs += c.size() * ticks.classes.size();
  for (std::size_t p = 0; p < system.pools.size(); ++p) {
    const auto asks = [&](std::size_t k) { return suits_upstream(ticks, ticks.classes[k]); };
    if (!UpstreamPool::applies(ticks, p) || std::ranges::none_of(ticks.users[p], asks)) continue;
    use.applies = true;
    Utilization twice;
    for (const Dag& dag : system.dags) {
      for (const Node& node : dag.nodes) {
        if (node.pool == p) twice.add(2 * node.vol, dag.T.count());
      }
    }
    use.loaded = use.loaded || twice.compare(Wide{system.pools[p].capacity}) > 0;
  }
  return use;
}

bool upstream_says_less(const System& system, const std::vector<std::vector<Time>>& F) {
  Ticks ticks = to_ticks(system, Limits{}, true);
  Nodes nodes(ticks, rules_of(Refinement::T39));
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    const auto& ends = F[ticks.classes[k].dags.front()];
    for (std::size_t v = 0; v < ends.size(); ++v) nodes.F[k][v] = ends[v].count();
    nodes.changed(k);
  }
  return nodes.upstream_says_less();
}

}  // namespace rta::analysis::path
