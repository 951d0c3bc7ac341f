#include "analysis/policies/pool_nodes.hpp"

#include <algorithm>

#include "rta/analysis/cpu/priority_point.hpp"
#include "rta/model/kernel_time.hpp"

namespace rta::analysis {

PoolNodes nodes_of_pools(const TaskSet& task_set) {
  PoolNodes nodes(task_set.pools().size());
  std::vector<std::size_t> counts(nodes.size());
  for (const Dag& dag : task_set.dags()) {
    for (const Node& node : dag.nodes()) ++counts[node.pool];
  }
  for (PoolId p = 0; p < nodes.size(); ++p) nodes[p].reserve(counts[p]);
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const Node& node = dag.nodes()[v];
      nodes[node.pool].push_back(
          {.dag = d, .id = v, .preceded = !dag.predecessors(v).empty(), .node = &node, .T = dag.period(), .Y = {}, .J = {}});
    }
  }
  return nodes;
}

bool some_late(const TaskSet& task_set, std::span<const PoolNode> nodes) {
  return std::ranges::any_of(nodes, [&](const PoolNode& node) { return task_set.dags()[node.dag].attributes().jitter > Time::zero(); });
}

std::vector<PoolNode> with_nominal_periods(const TaskSet& task_set, std::span<const PoolNode> nodes) {
  std::vector<PoolNode> nominal(nodes.begin(), nodes.end());
  for (PoolNode& node : nominal) {
    node.T = task_set.dags()[node.dag].nominal_period();
    node.J = task_set.dags()[node.dag].attributes().jitter;
  }
  return nominal;
}

void set_priority_points(const CpuPool& pool, Scheduler scheduler, std::vector<PoolNode>& nodes) {
  for (PoolNode& node : nodes) {
    node.Y = priority_point(scheduler, node.node->deadline.value_or(node.T), std::get<CpuDemand>(node.node->demand).C, pool.processors);
  }
}

void set_priority_points(const TaskSet& task_set, PoolNodes& nodes) {
  for (PoolId p = 0; p < task_set.pools().size(); ++p) {
    if (const auto* cpu = std::get_if<CpuPool>(&task_set.pools()[p].resource)) set_priority_points(*cpu, cpu->scheduler, nodes[p]);
  }
}

std::vector<gel::Task> cpu_tasks(std::span<const PoolNode> nodes) {
  std::vector<gel::Task> tasks;
  tasks.reserve(nodes.size());
  for (const PoolNode& node : nodes)
    tasks.push_back({.C = std::get<CpuDemand>(node.node->demand).C, .T = node.T, .Y = node.Y, .J = node.J});
  return tasks;
}

std::vector<fifo::Task> gpu_tasks(std::span<const PoolNode> nodes, const GpuPool& gpu) {
  std::vector<fifo::Task> tasks;
  tasks.reserve(nodes.size());
  for (const PoolNode& node : nodes) {
    const auto& d = std::get<GpuDemand>(node.node->demand);
    tasks.push_back({.T = node.T,
                     .B = d.has_blocks ? counted_blocks(d, gpu) : d.B,
                     .H = d.H,
                     .C = d.C,
                     .L = d.L,
                     .shared_memory = d.shared_memory,
                     .registers_per_thread = d.registers_per_thread,
                     .J = node.J,
                     .priority = d.priority});
  }
  return tasks;
}

std::vector<PoolTask> pool_tasks(std::span<const PoolNode> nodes) {
  std::vector<PoolTask> tasks;
  tasks.reserve(nodes.size());
  for (const PoolNode& node : nodes) tasks.push_back({node.dag, node.id, node.awaited, std::nullopt});
  return tasks;
}

}  // namespace rta::analysis
