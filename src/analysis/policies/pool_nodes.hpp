// The nodes of each pool, as the theorems for single pools take them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rta/analysis/cpu/gel.hpp"
#include "rta/analysis/gpu/fifo.hpp"
#include "rta/analysis/proof.hpp"
#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// A node with what the analysis of its pool needs to know of it.
struct PoolNode {
  DagId dag = 0;
  NodeId id = 0;
  bool awaited = false;   // inside a coarse-grained job: `id` is the fine-grained node, and no DAG node of its own
  bool preceded = false;  // has predecessors
  const Node* node = nullptr;
  Time T;
  Time Y;  // CPU pools: relative priority point
  Time J;  // enqueue jitter; 0 where T is the least distance of releases
};

using PoolNodes = std::vector<std::vector<PoolNode>>;  // one list per pool

/// All nodes, pool by pool, in the order of DAGs and nodes; Y and J are 0.
[[nodiscard]] PoolNodes nodes_of_pools(const TaskSet& task_set);
/// Whether releases of some of them are late.
[[nodiscard]] bool some_late(const TaskSet& task_set, std::span<const PoolNode> nodes);
/// These nodes with nominal periods: T is longer by the J of their DAGs, and each is enqueued up to J late.
[[nodiscard]] std::vector<PoolNode> with_nominal_periods(const TaskSet& task_set, std::span<const PoolNode> nodes);
/// Sets the scheduler's Y for the nodes of one CPU pool; D is the node's deadline or its DAG's period.
void set_priority_points(const CpuPool& pool, Scheduler scheduler, std::vector<PoolNode>& nodes);
/// The same for all CPU pools, each by its own scheduler.
void set_priority_points(const TaskSet& task_set, PoolNodes& nodes);

/// The tasks of T1 to T4 and of T5 to T7.
[[nodiscard]] std::vector<gel::Task> cpu_tasks(std::span<const PoolNode> nodes);
[[nodiscard]] std::vector<fifo::Task> gpu_tasks(std::span<const PoolNode> nodes, const GpuPool& gpu);

[[nodiscard]] std::vector<PoolTask> pool_tasks(std::span<const PoolNode> nodes);

}  // namespace rta::analysis
