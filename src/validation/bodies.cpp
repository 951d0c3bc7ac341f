#include "bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "rta/analysis/schedule_of.hpp"
#include "rta/model/error.hpp"

namespace rta::validation {
namespace {

DagBodies every_node_by_itself(const Dag& dag) {
  DagBodies bodies;
  bodies.of.assign(dag.nodes().size(), -1);
  bodies.released.assign(dag.nodes().size(), true);
  for (NodeId v = 0; v < dag.nodes().size(); ++v) bodies.task.push_back(v);
  bodies.edges.assign(dag.edges().begin(), dag.edges().end());
  return bodies;
}

DagBodies on_threads(const Dag& dag) {
  DagBodies bodies = every_node_by_itself(dag);
  const auto order = dag.topological_order();
  bodies.all.push_back({{order.begin(), order.end()}, *dag.attributes().threads, false});
  bodies.of.assign(dag.nodes().size(), 0);
  bodies.released.assign(dag.nodes().size(), false);
  bodies.released[order.front()] = true;
  bodies.edges.clear();
  return bodies;
}

/// `grouped`: the same DAG with groups as nodes, whose names are theirs, or the DAG's where it is one group.
DagBodies in_groups(const Dag& dag, const Dag& grouped, std::span<const Pool> pools) {
  std::map<std::string, NodeId> tasks;
  for (NodeId g = 0; g < grouped.nodes().size(); ++g) tasks.emplace(grouped.nodes()[g].name, g);
  const Node& only = grouped.nodes().front();
  const bool monolithic = grouped.nodes().size() == 1 && only.name == dag.name() && pools[only.pool].kind() == PoolKind::cpu;
  DagBodies bodies = every_node_by_itself(dag);
  std::map<NodeId, int> body_of_task;
  for (const NodeId v : dag.topological_order()) {
    const Node& node = dag.nodes()[v];
    const NodeId task = tasks.at(monolithic ? dag.name() : node.group.empty() ? node.name : node.group);
    bodies.task[v] = task;
    // A CPU node without a group is a sequential task, too; anything else without one starts by itself.
    if (!monolithic && node.group.empty() && pools[node.pool].kind() != PoolKind::cpu) continue;
    const auto [at, added] = body_of_task.emplace(task, static_cast<int>(bodies.all.size()));
    if (added) bodies.all.push_back({{}, 1, true});
    bodies.of[v] = at->second;
    bodies.released[v] = added;
    bodies.all[static_cast<std::size_t>(at->second)].nodes.push_back(v);
  }
  const auto first = [&](NodeId v) { return bodies.of[v] < 0 ? v : bodies.all[static_cast<std::size_t>(bodies.of[v])].nodes.front(); };
  std::set<std::pair<NodeId, NodeId>> edges;
  for (const Edge& edge : dag.edges()) {
    if (bodies.task[edge.from] != bodies.task[edge.to]) edges.emplace(first(edge.from), first(edge.to));
  }
  bodies.edges.clear();
  for (const auto& [from, to] : edges) bodies.edges.push_back({from, to, false});
  return bodies;
}

/// Threads that wait stand in one queue for the processors of a pool, by the instant at which they ask for one.
void refuse_other_queues(const TaskSet& task_set) {
  for (PoolId p = 0; p < task_set.pools().size(); ++p) {
    const Pool& pool = task_set.pools()[p];
    const auto* cpu = std::get_if<CpuPool>(&pool.resource);
    if (cpu == nullptr) continue;
    const Dag* on_threads = nullptr;
    const Dag* beside = nullptr;
    std::uint64_t threads = 0;
    for (const Dag& dag : task_set.dags()) {
      if (std::ranges::none_of(dag.nodes(), [&](const Node& node) { return node.pool == p; })) continue;
      (dag.attributes().threads ? on_threads : beside) = &dag;
      threads += dag.attributes().threads.value_or(0);
    }
    if (on_threads == nullptr) continue;
    if (beside != nullptr)
      throw UserError(
          fmt::format("pool '{}': DAG '{}' is played by threads (`threads`) that stand in a queue for its processors, DAG '{}' is not; "
                      "generated programs need pools of processors of their own for DAGs on threads",
                      pool.name, on_threads->name(), beside->name()));
    if (cpu->scheduler != Scheduler::fifo && threads > cpu->processors)
      throw UserError(fmt::format(
          "pool '{}': {} threads (`threads`) for {} processors under {}; generated programs let threads wait for a processor in "
          "order of arrival alone (scheduler: FIFO)",
          pool.name, threads, cpu->processors, to_string(cpu->scheduler)));
  }
}

}  // namespace

const TaskSet& nodes_played(const analysis::Proof& proof) { return proof.ungrouped ? *proof.ungrouped : *proof.task_set; }

std::vector<DagBodies> bodies_of(const analysis::Proof& proof) {
  const TaskSet& set = nodes_played(proof);
  std::vector<DagBodies> all;
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const Dag& dag = set.dags()[d];
    all.push_back(proof.ungrouped            ? in_groups(dag, proof.task_set->dags()[d], set.pools())
                  : dag.attributes().threads ? on_threads(dag)
                                             : every_node_by_itself(dag));
  }
  return all;
}

Schedule schedule_of_program(const analysis::Proof& proof) {
  if (!proof.ungrouped) return schedule_of(proof);
  const bool at_offsets = analysis::groups_have_offsets(proof);
  Schedule schedule;
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const Dag& dag = proof.task_set->dags()[d];
    auto& nodes = schedule.nodes.emplace_back();
    for (NodeId g = 0; g < dag.nodes().size(); ++g) {
      const analysis::NodeProof& task = proof.dags[d].nodes[g];
      NodeSchedule& of = nodes.emplace_back();
      if (at_offsets) of.offset = task.reference;
      if (!at_offsets && dag.predecessors(g).empty()) of.offset = Time::zero();
      of.reference = at_offsets ? *task.reference : Time::zero();
      if (task.priority_point) of.priority_point = of.reference + *task.priority_point;
    }
  }
  return schedule;
}

void refuse_other_orders(const analysis::Proof& proof) {
  refuse_other_queues(*proof.task_set);
  if (!proof.ungrouped) return;
  for (const Pool& pool : proof.task_set->pools()) {
    const auto* cpu = std::get_if<CpuPool>(&pool.resource);
    if (cpu != nullptr && !cpu->preemptive)
      throw UserError(
          fmt::format("pool '{}' is not preemptive; generated programs play coarse-grained and monolithic DAGs on preemptive pools: "
                      "a group that has waited for a kernel goes on before later ones",
                      pool.name));
  }
}

}  // namespace rta::validation
