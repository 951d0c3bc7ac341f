#include "own_order.hpp"

#include <algorithm>

namespace checker {
namespace {

/// Under FP whoever is as urgent is served by ready time, which a job that waited for its predecessor has changed.
bool alone_at_its_priority(const TaskSet& set, const Node& node) {
  Int nodes = 0;
  for (const Dag& dag : set.dags) {
    for (const Node& other : dag.nodes) {
      if (other.pool == node.pool && other.fixed_priority == node.fixed_priority) nodes += 1;
    }
  }
  return nodes == Int(1);
}

}  // namespace

bool in_own_order(const Pool& pool) {
  if (pool.kind != Kind::cpu || pool.size != Int(1) || pool.scheduler == "FIFO" || pool.scheduler == "wait-set" || pool.multi_threaded())
    return false;
  return pool.scheduler != "FP" || !pool.equals_any();
}

bool in_own_order(const TaskSet& set, const Dag& dag, std::size_t v) {
  std::vector<bool> before(dag.nodes.size());
  before[v] = true;
  for (auto at = dag.order.rbegin(); at != dag.order.rend(); ++at) {
    if (!before[*at]) continue;
    const Node& node = dag.nodes[*at];
    const Pool& pool = set.pools[node.pool];
    if (!in_own_order(pool)) return false;
    // Jobs that become ready at one instant are in any order in a queue, unless they wait for one another.
    if (pool.scheduler == "FP" && !(alone_at_its_priority(set, node) && (node.sequential || node.before.empty()))) return false;
    for (const std::size_t u : node.before) before[u] = true;
  }
  return true;
}

}  // namespace checker
