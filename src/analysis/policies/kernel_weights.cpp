#include "analysis/policies/kernel_weights.hpp"

#include <algorithm>

#include "analysis/gpu/fifo_level.hpp"
#include "analysis/gpu/sliced_bounds.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::analysis {
namespace {

KernelWeights in_nodes(const TaskSet& task_set, PoolId p, std::span<const PoolNode> nodes, const fifo::WeightSet& set) {
  KernelWeights weights;
  const Pool& pool = task_set.pools()[p];
  weights.unit = set.guaranteed;
  for (const Dag& dag : task_set.dags()) weights.density.emplace_back(dag.nodes().size());
  for (std::size_t i = 0; i < nodes.size(); ++i) weights.density[nodes[i].dag][nodes[i].id] = set.density[i];
  const std::vector<fifo::Task> tasks = gpu_tasks(nodes);
  if (!fifo::of_several_priorities(tasks)) {
    weights.resident = fifo::most_resident(tasks, std::get<GpuPool>(pool.resource), set);
    return weights;
  }
  const fifo::Kernels kernels(tasks, std::get<GpuPool>(pool.resource));
  weights.sm = std::make_shared<const fifo::Sm>(kernels.capacity, kernels.classes.demand);
  for (const Dag& dag : task_set.dags()) weights.demand.emplace_back(dag.nodes().size());
  for (std::size_t i = 0; i < nodes.size(); ++i) weights.demand[nodes[i].dag][nodes[i].id] = kernels.classes.of[i];
  return weights;
}

double load(const fifo::WeightSet& set) { return set.U.approximate() / static_cast<double>(set.capacity); }

/// Weights of T10n and T11g are valid whichever kernel waits.
std::vector<fifo::Task> of_one_priority(std::span<const PoolNode> nodes) {
  std::vector<fifo::Task> tasks = gpu_tasks(nodes);
  for (fifo::Task& task : tasks) task.priority = low_priority;
  return tasks;
}

}  // namespace

KernelBounds kernel_bounds(const TaskSet& task_set, const PoolNodes& nodes) {
  KernelBounds bounds(nodes.size());
  for (PoolId p = 0; p < nodes.size(); ++p) {
    const auto* gpu = std::get_if<GpuPool>(&task_set.pools()[p].resource);
    if (gpu == nullptr || nodes[p].empty()) continue;
    bounds[p] = fifo::gpu_bounds(of_one_priority(nodes[p]), *gpu, {.shared_weights = true, .count_carry = false});
  }
  return bounds;
}

Result<std::vector<PlatformWeights>, NoBound> kernel_weights(const TaskSet& task_set, const PoolNodes& nodes, const KernelBounds& bounds) {
  PlatformWeights occupancy(task_set.pools().size());
  PlatformWeights lightest(task_set.pools().size());
  bool differ = false;
  for (PoolId p = 0; p < nodes.size(); ++p) {
    if (!bounds[p]) continue;
    const Pool& pool = task_set.pools()[p];
    if (slices_of(pool) != nullptr && fifo::of_several_priorities(gpu_tasks(nodes[p]))) {
      return NoBound{reason::TimeSlices{slices_of(pool)->gpu, Theorem::T7}, p};
    }
    const auto& proven = *bounds[p];
    if (!proven) return NoBound{proven.reason(), p};
    const auto least = std::ranges::min_element(proven->sets, {}, load);
    const auto plain = std::ranges::find_if(proven->sets, [](const auto& set) { return set.occupancy; });
    lightest[p] = in_nodes(task_set, p, nodes[p], *least);
    occupancy[p] = plain == proven->sets.end() ? lightest[p] : in_nodes(task_set, p, nodes[p], *plain);
    differ = differ || occupancy[p].unit != lightest[p].unit || occupancy[p].density != lightest[p].density;
  }
  std::vector<PlatformWeights> all{std::move(occupancy)};
  if (differ) all.push_back(std::move(lightest));
  return all;
}

Result<std::vector<PlatformWeights>, NoBound> kernel_weights(const TaskSet& task_set) {
  const PoolNodes nodes = nodes_of_pools(task_set);
  return kernel_weights(task_set, nodes, kernel_bounds(task_set, nodes));
}

}  // namespace rta::analysis
