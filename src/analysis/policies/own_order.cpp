#include "analysis/policies/own_order.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "rta/model/fixed_priority.hpp"

namespace rta::analysis {

bool in_own_order(const CpuPool& cpu) {
  if (cpu.processors != 1) return false;
  return has_priority_points(cpu) || (cpu.scheduler == Scheduler::fp && cpu.equals == Equals::fifo);
}

PerNode<bool> nodes_in_own_order(const TaskSet& task_set) {
  const FixedPriorities priorities = fixed_priorities(task_set);
  std::map<std::pair<PoolId, FixedPriority>, std::size_t> nodes_with;
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) ++nodes_with[{dag.nodes()[v].pool, priorities.of[d][v]}];
  }
  PerNode<bool> all(task_set.dags().size());
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    all[d].resize(dag.nodes().size());
    for (const NodeId v : dag.topological_order()) {
      const Node& node = dag.nodes()[v];
      const auto* const cpu = std::get_if<CpuPool>(&task_set.pools()[node.pool].resource);
      if (cpu == nullptr || !in_own_order(*cpu)) continue;
      // Jobs that become ready at one instant are in any order in a queue, unless they wait for one another.
      const bool known = cpu->scheduler != Scheduler::fp ||
                         (nodes_with.at({node.pool, priorities.of[d][v]}) == 1 && (node.sequential || dag.predecessors(v).empty()));
      all[d][v] = known && std::ranges::all_of(dag.predecessors(v), [&](NodeId u) { return all[d][u]; });
    }
  }
  return all;
}

}  // namespace rta::analysis
