#include "groups.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "parameters.hpp"

namespace checker {
namespace {

/// One DAG; `awaited` receives its nodes that groups await.
Dag grouped_dag(const TaskSet& set, std::size_t d, bool monolithic, std::vector<Awaited>& awaited) {
  const Dag& dag = set.dags[d];
  Dag out = dag;
  out.nodes.clear();
  out.order.clear();
  std::map<std::string, std::size_t> group_named;
  std::vector<std::size_t> group_of;
  std::vector<bool> has_cpu;
  for (std::size_t v = 0; v < dag.nodes.size(); ++v) {
    const Node& node = dag.nodes[v];
    const bool cpu = set.pools[node.pool].kind == Kind::cpu;
    const std::string name = monolithic ? dag.name : node.group;
    const bool alone = !monolithic && node.group == "-";
    const auto [at, fresh] = alone ? std::pair{group_named.end(), true} : group_named.try_emplace(name, out.nodes.size());
    const std::size_t g = fresh ? out.nodes.size() : at->second;
    group_of.push_back(g);
    if (fresh) {
      Node& made = out.nodes.emplace_back(alone ? node : Node{});
      has_cpu.push_back(alone);
      made.sequential = !alone || cpu || node.sequential;
      if (!alone) made.name = name;
    }
    if (alone) continue;
    if (!cpu) {
      awaited.push_back({d, v, g});
      continue;
    }
    Node& group = out.nodes[g];
    if (has_cpu[g] && group.pool != node.pool) throw std::invalid_argument("a group has nodes on two CPU pools");
    has_cpu[g] = true;
    group.pool = node.pool;
    group.given_priority = node.given_priority;
    group.C += node.C;
    group.L = group.C;
    if (node.D) group.D = std::min(group.D.value_or(*node.D), *node.D);
  }
  if (std::find(has_cpu.begin(), has_cpu.end(), false) != has_cpu.end()) throw std::invalid_argument("a group has no CPU node");
  for (Node& group : out.nodes) group.before.clear();
  for (std::size_t v = 0; v < dag.nodes.size(); ++v) {
    for (const std::size_t u : dag.nodes[v].before) {
      if (group_of[u] != group_of[v]) out.nodes[group_of[v]].before.push_back(group_of[u]);
    }
  }
  return out;
}

}  // namespace

Grouped grouped(const TaskSet& set, std::string_view granularity) {
  if (granularity != "coarse" && granularity != "monolithic") throw std::invalid_argument("coarse or monolithic is expected");
  Grouped result;
  result.set.pools = set.pools;
  result.set.chains = set.chains;
  for (std::size_t d = 0; d < set.dags.size(); ++d) {
    result.set.dags.push_back(grouped_dag(set, d, granularity == "monolithic", result.awaited));
  }
  set_fixed_priorities(result.set);
  return result;
}

}  // namespace checker
