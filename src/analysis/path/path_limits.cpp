// Why a system has no bounds: a pool with too much work, or ends past the limits.
#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/path/system/ticks.hpp"
#include "rta/model/utilization.hpp"

namespace rta::analysis::path {

std::optional<Reason> overloaded_pool(const System& system) {
  std::vector<Utilization> U(system.pools.size());
  for (const Dag& dag : system.dags) {
    std::vector<std::pair<std::size_t, Wide>> work;
    for (const Node& node : dag.nodes) {
      auto it = std::find_if(work.begin(), work.end(), [&](const auto& w) { return w.first == node.pool; });
      if (it == work.end()) it = work.insert(it, {node.pool, 0});
      it->second = checked_add(it->second, node.vol);
    }
    for (const auto& [p, vol] : work) U[p].add(vol, dag.T.count());
  }
  for (std::size_t p = 0; p < U.size(); ++p) {
    const Pool& pool = system.pools[p];
    if (U[p].compare(checked_mul<Wide>(pool.capacity, pool.unit)) <= 0) continue;
    return reason::PathOverload{pool.name, U[p], static_cast<Wide>(pool.capacity), pool.unit};
  }
  return std::nullopt;
}

double load_of(const System& system, std::size_t pool) {
  double load = 0;
  for (const Dag& dag : system.dags) {
    for (const Node& node : dag.nodes) {
      if (node.pool == pool) load += static_cast<double>(node.vol) / static_cast<double>(dag.T.count());
    }
  }
  return load / static_cast<double>(checked_mul<Wide>(system.pools[pool].capacity, system.pools[pool].unit));
}

Reason past_limit(const Ticks& ticks, std::size_t class_index, std::size_t pool, const Limits& limits) {
  const System& system = *ticks.system;
  const Class& c = ticks.classes[class_index];
  const bool in_periods = c.limit / limits.periods >= c.T;
  return reason::PastLimit{.dag = system.dags[c.dags.front()].name,
                           .pool = system.pools[pool].name,
                           .load = load_of(system, pool),
                           .limit = Time(c.limit),
                           .periods = in_periods ? limits.periods : 0};
}

}  // namespace rta::analysis::path
