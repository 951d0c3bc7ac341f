#include "analysis/policies/kernel_weights.hpp"

#include <algorithm>

#include "analysis/gpu/fifo_level.hpp"
#include "analysis/gpu/sliced_bounds.hpp"
#include "analysis/policies/turns.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::analysis {
namespace {

KernelWeights in_nodes(const TaskSet& task_set, PoolId p, std::span<const PoolNode> nodes, const fifo::WeightSet& set) {
  KernelWeights weights;
  const Pool& pool = task_set.pools()[p];
  weights.unit = set.guaranteed;
  for (const Dag& dag : task_set.dags()) weights.density.emplace_back(dag.nodes().size());
  for (std::size_t i = 0; i < nodes.size(); ++i) weights.density[nodes[i].dag][nodes[i].id] = set.density[i];
  const std::vector<fifo::Task> tasks = gpu_tasks(nodes, std::get<GpuPool>(pool.resource));
  if (!fifo::of_several_priorities(tasks)) {
    weights.resident = fifo::most_resident(tasks, std::get<GpuPool>(pool.resource), set);
    return weights;
  }
  const fifo::Kernels kernels(tasks, std::get<GpuPool>(pool.resource));
  weights.sm = std::make_shared<const fifo::Sm>(kernels.gpu, kernels.classes.demand);
  for (const Dag& dag : task_set.dags()) weights.demand.emplace_back(dag.nodes().size());
  for (std::size_t i = 0; i < nodes.size(); ++i) weights.demand[nodes[i].dag][nodes[i].id] = kernels.classes.of[i];
  return weights;
}

double load(const fifo::WeightSet& set) { return set.U.approximate() / static_cast<double>(set.capacity); }

/// Weights of T10n and T11g are valid whichever kernel waits.
std::vector<fifo::Task> of_one_priority(std::span<const PoolNode> nodes, const GpuPool& gpu) {
  std::vector<fifo::Task> tasks = gpu_tasks(nodes, gpu);
  for (fifo::Task& task : tasks) task.priority = low_priority;
  return tasks;
}

}  // namespace

KernelBounds kernel_bounds(const TaskSet& task_set, const PoolNodes& nodes) {
  KernelBounds bounds(nodes.size());
  for (PoolId p = 0; p < nodes.size(); ++p) {
    const auto* gpu = std::get_if<GpuPool>(&task_set.pools()[p].resource);
    if (gpu == nullptr || nodes[p].empty()) continue;
    if (some_without_blocks(nodes[p])) {
      bounds[p] = why_without_blocks(*gpu, nodes[p]);
      continue;
    }
    const fifo::Options options{.shared_weights = true, .count_carry = false};
    bounds[p] = fifo::gpu_bounds(of_one_priority(nodes[p], *gpu), *gpu, options);
    // Weights are valid at any load; whether it is too high with releases T - J apart, T12 does not mind.
    if (*bounds[p] || !some_late(task_set, nodes[p])) continue;
    bounds[p] = fifo::gpu_bounds(of_one_priority(with_nominal_periods(task_set, nodes[p]), *gpu), *gpu, options);
  }
  return bounds;
}

std::vector<PoolId> pools_in_turn(const TaskSet& task_set, const PoolNodes& nodes, Durations by) {
  std::vector<PoolId> pools;
  for (PoolId p = 0; p < nodes.size(); ++p) {
    const Pool& pool = task_set.pools()[p];
    if (!may_be_in_turn(pool, nodes[p])) continue;
    const auto nominal = with_nominal_periods(task_set, nodes[p]);
    if (busy_alone(std::get<GpuPool>(pool.resource), nominal, by).compare(1) <= 0) pools.push_back(p);
  }
  return pools;
}

namespace {

struct ByLoad {
  KernelWeights occupancy, lightest;
};

ByLoad by_load(const TaskSet& task_set, PoolId p, std::span<const PoolNode> nodes, const fifo::GpuBounds& proven) {
  const auto least = std::ranges::min_element(proven.sets, {}, load);
  const auto plain = std::ranges::find_if(proven.sets, [](const auto& set) { return set.occupancy; });
  KernelWeights lightest = in_nodes(task_set, p, nodes, *least);
  KernelWeights occupancy = plain == proven.sets.end() ? lightest : in_nodes(task_set, p, nodes, *plain);
  return {std::move(occupancy), std::move(lightest)};
}

/// T29: weights for the kernels that have blocks, where others are served one after another.
std::optional<ByLoad> beside_turns(const TaskSet& task_set, const PoolNodes& nodes, PoolId p, bool switches) {
  const Pool& pool = task_set.pools()[p];
  if (switches || !some_without_blocks(nodes[p]) || !has_turns(pool, nodes[p])) return std::nullopt;
  for (PoolId other = 0; other < nodes.size(); ++other) {  // T14 and T11g would have to hold beside it
    const auto* const gpu = std::get_if<GpuPool>(&task_set.pools()[other].resource);
    if (gpu == nullptr || nodes[other].empty()) continue;
    if (slices_of(task_set.pools()[other]) != nullptr || fifo::of_several_priorities(gpu_tasks(nodes[other], *gpu))) return std::nullopt;
  }
  std::vector<PoolNode> with_blocks;
  Time tail;
  for (const PoolNode& node : nodes[p]) {
    const auto& kernel = std::get<GpuDemand>(node.node->demand);
    if (!counts_by_blocks(kernel)) continue;
    with_blocks.push_back(node);
    tail = std::max(tail, kernel.L);
  }
  if (with_blocks.empty()) return std::nullopt;
  const auto& gpu = std::get<GpuPool>(pool.resource);
  const fifo::Options options{.shared_weights = true, .count_carry = false};
  auto proven = fifo::gpu_bounds(of_one_priority(with_blocks, gpu), gpu, options);
  if (!proven) proven = fifo::gpu_bounds(of_one_priority(with_nominal_periods(task_set, with_blocks), gpu), gpu, options);
  if (!proven) return std::nullopt;
  ByLoad weights = by_load(task_set, p, with_blocks, *proven);
  for (KernelWeights* of : {&weights.occupancy, &weights.lightest}) {
    of->resident.reset();
    of->tail = tail;
  }
  return weights;
}

/// Why a GPU has neither weights nor turns.
NoBound neither(const TaskSet& task_set, const PoolNodes& nodes, PoolId p, const Reason& by_blocks, Durations by) {
  const Pool& pool = task_set.pools()[p];
  if (!some_without_blocks(nodes[p]) || !may_be_in_turn(pool, nodes[p])) return {by_blocks, p};
  return {reason::BusyAlone{busy_alone(std::get<GpuPool>(pool.resource), with_nominal_periods(task_set, nodes[p]), by)}, p};
}

}  // namespace

Result<std::vector<PlatformWeights>, NoBound> kernel_weights(const TaskSet& task_set, const PoolNodes& nodes, const KernelBounds& bounds,
                                                             std::span<const PoolId> in_turn, bool switches) {
  PlatformWeights occupancy(task_set.pools().size());
  PlatformWeights lightest(task_set.pools().size());
  bool differ = false;
  for (PoolId p = 0; p < nodes.size(); ++p) {
    if (!bounds[p]) continue;
    const Pool& pool = task_set.pools()[p];
    if (slices_of(pool) != nullptr && fifo::of_several_priorities(gpu_tasks(nodes[p], std::get<GpuPool>(pool.resource)))) {
      return NoBound{reason::TimeSlices{slices_of(pool)->gpu, Theorem::T7}, p};
    }
    const auto& proven = *bounds[p];
    if (!proven) {
      const Durations by = switches ? Durations::as_given : Durations::least;
      const bool turns = std::ranges::find(in_turn, p) != in_turn.end();
      auto beside = beside_turns(task_set, nodes, p, switches);
      if (!turns && !beside) return neither(task_set, nodes, p, proven.reason(), by);
      if (beside) {
        lightest[p] = std::move(beside->lightest);
        occupancy[p] = turns ? lightest[p] : std::move(beside->occupancy);
      }
      lightest[p].in_turn = occupancy[p].in_turn = turns;
    } else {
      ByLoad weights = by_load(task_set, p, nodes[p], *proven);
      lightest[p] = std::move(weights.lightest);
      occupancy[p] = std::move(weights.occupancy);
    }
    differ = differ || occupancy[p].unit != lightest[p].unit || occupancy[p].density != lightest[p].density;
  }
  std::vector<PlatformWeights> all{std::move(occupancy)};
  if (differ) all.push_back(std::move(lightest));
  for (PlatformWeights& platform : all) {
    for (KernelWeights& weights : platform) weights.switches = switches;
  }
  return all;
}

Result<std::vector<PlatformWeights>, NoBound> kernel_weights(const TaskSet& task_set) {
  const PoolNodes nodes = nodes_of_pools(task_set);
  return kernel_weights(task_set, nodes, kernel_bounds(task_set, nodes), {}, false);
}

std::optional<PlatformWeights> with_turns(const PlatformWeights& weights, std::span<const PoolId> in_turn) {
  PlatformWeights turns = weights;
  bool others = false;
  for (const PoolId p : in_turn) {
    others = others || !turns[p].in_turn;
    turns[p].in_turn = true;
  }
  return others ? std::optional(std::move(turns)) : std::nullopt;
}

}  // namespace rta::analysis
