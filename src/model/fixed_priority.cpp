#include "rta/model/fixed_priority.hpp"

#include <algorithm>

#include "rta/model/error.hpp"

namespace rta {
namespace {

bool under_fp(const Pool& pool) {
  const auto* cpu = std::get_if<CpuPool>(&pool.resource);
  return cpu != nullptr && cpu->scheduler == Scheduler::fp;
}

template <class Tell>
void each_node_on(const TaskSet& task_set, PoolId p, Tell&& tell) {
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      if (dag.nodes()[v].pool == p) tell(d, v);
    }
  }
}

void rank_by_deadline(const TaskSet& task_set, PoolId p, PerNode<FixedPriority>& of) {
  std::vector<DagId> dags;
  each_node_on(task_set, p, [&](DagId d, NodeId) {
    if (dags.empty() || dags.back() != d) dags.push_back(d);
  });
  std::ranges::stable_sort(dags, {}, [&](DagId d) { return task_set.dags()[d].deadline().value_or(task_set.dags()[d].nominal_period()); });
  std::vector<FixedPriority> of_dag(task_set.dags().size());
  for (std::size_t i = 0; i < dags.size(); ++i) of_dag[dags[i]] = static_cast<FixedPriority>(dags.size() - i);
  each_node_on(task_set, p, [&](DagId d, NodeId v) { of[d][v] = of_dag[d]; });
}

}  // namespace

std::optional<FixedPriority> given_priority(const Dag& dag, const Node& node) {
  const auto* cpu = std::get_if<CpuDemand>(&node.demand);
  if (cpu == nullptr) return std::nullopt;
  return cpu->priority ? cpu->priority : dag.attributes().priority;
}

FixedPriorities fixed_priorities(const TaskSet& task_set) {
  FixedPriorities priorities;
  for (const Dag& dag : task_set.dags()) priorities.of.emplace_back(dag.nodes().size());
  for (PoolId p = 0; p < task_set.pools().size(); ++p) {
    if (!under_fp(task_set.pools()[p])) continue;
    std::size_t given = 0;
    std::string without;
    each_node_on(task_set, p, [&](DagId d, NodeId v) {
      const Dag& dag = task_set.dags()[d];
      const auto priority = given_priority(dag, dag.nodes()[v]);
      given += priority ? 1 : 0;
      priorities.of[d][v] = priority.value_or(0);
      if (!priority && without.empty()) without = dag.name() + "/" + dag.nodes()[v].name;
    });
    if (given > 0 && !without.empty()) {
      throw UserError("pool '" + task_set.pools()[p].name + "': node '" + without +
                      "' has no priority, while others have; under FP all nodes of a pool have one, or none");
    }
    if (given > 0) continue;
    rank_by_deadline(task_set, p, priorities.of);
    priorities.deadline_monotonic.push_back(p);
  }
  return priorities;
}

std::optional<PoolId> first_pool_under_fp(const TaskSet& task_set) {
  std::optional<PoolId> first;
  for (const Dag& dag : task_set.dags()) {
    for (const Node& node : dag.nodes()) {
      if (under_fp(task_set.pools()[node.pool]) && (!first || node.pool < *first)) first = node.pool;
    }
  }
  return first;
}

}  // namespace rta
