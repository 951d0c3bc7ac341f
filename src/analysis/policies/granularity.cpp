#include "analysis/policies/granularity.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "analysis/path/system/segment_quotient.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

bool is_cpu(const TaskSet& task_set, const Node& node) { return task_set.pools()[node.pool].kind() == PoolKind::cpu; }

// The group that a node belongs to; nodes without one stay alone.
std::string group_name(const Dag& dag, const Node& node, Granularity granularity) {
  if (granularity == Granularity::monolithic) return dag.name();
  return node.group;
}

struct Regrouped {
  Dag dag;
  std::vector<NodeId> node_of;
};

Regrouped regroup_dag(const TaskSet& fine, const Dag& dag, Granularity granularity) {
  std::vector<Node> nodes;
  std::vector<NodeId> node_of(dag.nodes().size());
  std::vector<bool> has_cpu;
  std::map<std::string, NodeId> by_name;

  for (NodeId v = 0; v < dag.nodes().size(); ++v) {
    const Node& node = dag.nodes()[v];
    const bool cpu = is_cpu(fine, node);
    const std::string group = group_name(dag, node, granularity);
    if (group.empty()) {
      node_of[v] = nodes.size();
      nodes.push_back(node);
      nodes.back().sequential = nodes.back().sequential || cpu;
      has_cpu.push_back(true);
      continue;
    }
    const auto [at, added] = by_name.try_emplace(group, nodes.size());
    if (added) {
      nodes.push_back(Node{group, node.pool, CpuDemand{}, std::nullopt, true, {}, std::nullopt});
      has_cpu.push_back(false);
    }
    const NodeId g = at->second;
    node_of[v] = g;
    if (!cpu) continue;
    Node& merged = nodes[g];
    if (has_cpu[g] && merged.pool != node.pool) {
      throw UserError("DAG '" + dag.name() + "': group '" + group + "' has nodes on two CPU pools, '" + fine.pools()[merged.pool].name +
                      "' and '" + fine.pools()[node.pool].name + "'; one coarse-grained task runs on one pool");
    }
    merged.pool = node.pool;
    const auto& job = std::get<CpuDemand>(node.demand);
    auto& all = std::get<CpuDemand>(merged.demand);
    const bool by_priority = std::get<CpuPool>(fine.pools()[node.pool].resource).scheduler == Scheduler::fp;
    if (has_cpu[g] && by_priority && all.priority != job.priority) {
      throw UserError("DAG '" + dag.name() + "': group '" + group + "' has nodes of different priorities; one coarse-grained task has one");
    }
    has_cpu[g] = true;
    all.priority = job.priority;
    all.C += job.C;
    if (node.deadline) merged.deadline = merged.deadline ? std::min(*merged.deadline, *node.deadline) : node.deadline;
  }
  for (NodeId g = 0; g < nodes.size(); ++g) {
    if (!has_cpu[g]) {
      throw UserError("DAG '" + dag.name() + "': group '" + nodes[g].name + "' has no CPU node that could await its kernels");
    }
  }

  for (const Node& node : nodes) {
    if (node.group.empty() && by_name.contains(node.name) && by_name.at(node.name) != static_cast<NodeId>(&node - nodes.data())) {
      throw UserError("DAG '" + dag.name() + "': group '" + node.name + "' has the name of a node that is not in it");
    }
  }

  std::set<std::pair<NodeId, NodeId>> pairs;
  for (const Edge& e : dag.edges()) {
    if (node_of[e.from] != node_of[e.to]) pairs.emplace(node_of[e.from], node_of[e.to]);
  }
  std::vector<Edge> edges;
  edges.reserve(pairs.size());
  for (const auto& [from, to] : pairs) edges.push_back({from, to, false});
  if (!Quotient(dag, node_of).acyclic()) throw UserError("DAG '" + dag.name() + "': its groups depend on each other in a cycle");
  return {Dag(dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::move(edges), dag.attributes()), std::move(node_of)};
}

}  // namespace

Grouped regroup(const TaskSet& fine, Granularity granularity) {
  std::vector<Dag> dags;
  std::vector<AwaitedNode> awaited;
  for (DagId d = 0; d < fine.dags().size(); ++d) {
    const Dag& dag = fine.dags()[d];
    Regrouped regrouped = regroup_dag(fine, dag, granularity);
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const bool grouped = !group_name(dag, dag.nodes()[v], granularity).empty();
      if (grouped && !is_cpu(fine, dag.nodes()[v])) awaited.push_back({d, v, regrouped.node_of[v]});
    }
    dags.push_back(std::move(regrouped.dag));
  }
  std::vector<Pool> pools(fine.pools().begin(), fine.pools().end());
  return {TaskSet(fine.name(), std::move(pools), std::move(dags)), std::move(awaited)};
}

std::vector<std::vector<Time>> suspension(const Grouped& grouped, std::span<const Time> response) {
  require(response.size() == grouped.awaited.size(), "one response time per awaited node");
  std::vector<std::vector<Time>> total;
  for (const Dag& dag : grouped.task_set.dags()) total.emplace_back(dag.nodes().size());
  for (std::size_t a = 0; a < response.size(); ++a) total[grouped.awaited[a].dag][grouped.awaited[a].group] += response[a];
  return total;
}

}  // namespace rta::analysis
