#include "bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
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
  bodies.all.push_back({{order.begin(), order.end()}, *dag.attributes().threads, false, dag.attributes().wait == Wait::spin});
  bodies.of.assign(dag.nodes().size(), 0);
  bodies.released.assign(dag.nodes().size(), false);
  bodies.released[order.front()] = true;
  bodies.edges.clear();
  return bodies;
}

/// `tasks`: the nodes of each task; `grouped`: the same DAG with groups as nodes.
DagBodies in_groups(const Dag& dag, const std::vector<std::vector<NodeId>>& tasks, const Dag& grouped, std::span<const Pool> pools) {
  DagBodies bodies = every_node_by_itself(dag);
  for (NodeId g = 0; g < tasks.size(); ++g) {
    for (const NodeId v : tasks[g]) bodies.task[v] = g;
    // A CPU node without a group is a sequential task, too; anything else without one starts by itself.
    if (pools[grouped.nodes()[g].pool].kind() != PoolKind::cpu) continue;
    for (const NodeId v : tasks[g]) {
      bodies.of[v] = static_cast<int>(bodies.all.size());
      bodies.released[v] = v == tasks[g].front();
    }
    bodies.all.push_back({tasks[g], 1, true});
  }
  bodies.edges.clear();
  for (const Edge& edge : grouped.edges()) bodies.edges.push_back({tasks[edge.from].front(), tasks[edge.to].front(), false});
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

std::vector<DagBodies> bodies_of(const analysis::Proof& proof) {
  const TaskSet& set = nodes_played(proof);
  const auto tasks = nodes_of_tasks(proof);
  std::vector<DagBodies> all;
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const Dag& dag = set.dags()[d];
    all.push_back(proof.ungrouped            ? in_groups(dag, tasks[d], proof.task_set->dags()[d], set.pools())
                  : dag.attributes().threads ? on_threads(dag)
                                             : every_node_by_itself(dag));
  }
  return all;
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
