// Random systems whose GPUs are shared by processes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "support/random_system.hpp"

namespace rta::test {

/// The same with each GPU shared by one to three processes: whole DAGs are in one, or each kernel in any. With `empty`, some kernels have
/// length 0. Periods are often longer, so that the slices can carry the work.
inline TaskSet with_slices(const TaskSet& set, std::uint64_t seed, bool empty) {
  Dice dice(seed + 1'000'003);
  std::vector<Pool> pools;
  std::vector<std::pair<PoolId, std::uint32_t>> contexts;  // pool -> its first context, and how many there are
  std::int64_t stretch = 1;
  for (const Pool& pool : set.pools()) {
    contexts.emplace_back(pools.size(), 1);
    if (pool.kind() != PoolKind::gpu) {
      pools.push_back(pool);
      continue;
    }
    const auto count = static_cast<std::uint32_t>(dice.between(1, 3));
    contexts.back().second = count;
    const Time S(dice.one_in(2) ? dice.between(1, 4) : dice.between(3, 25));
    const Time theta(dice.one_in(3) ? 0 : dice.between(1, 3));
    stretch = std::max<std::int64_t>(stretch, 1 + (S * (count - 1) + theta * count).count() / S.count());
    for (std::uint32_t i = 0; i < count; ++i) {
      Pool context = pool;
      context.name = pool.name + "/" + std::to_string(i);
      std::get<GpuPool>(context.resource).sharing =
          Sharing{.gpu = pool.name, .process = std::to_string(i), .slice = S, .switch_time = theta, .contexts = count};
      pools.push_back(std::move(context));
    }
  }
  if (dice.one_in(4)) stretch += 3;
  empty = dice.one_in(5) && empty;
  std::vector<Dag> dags;
  for (const Dag& dag : set.dags()) {
    const std::int64_t of_dag = dice.between(0, 5);
    const bool spread = dice.one_in(3);
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (Node& node : nodes) {
      const auto [first, count] = contexts[node.pool];
      node.pool = first + static_cast<PoolId>(spread ? dice.between(0, count - 1) : of_dag % count);
      auto* const kernel = std::get_if<GpuDemand>(&node.demand);
      if (kernel == nullptr || !empty || !dice.one_in(3)) continue;
      kernel->C = Workload(0);
      kernel->L = Time::zero();
    }
    dags.emplace_back(dag.name(), dag.period() * stretch, dag.deadline(), std::move(nodes),
                      std::vector<Edge>(dag.edges().begin(), dag.edges().end()), dag.attributes());
  }
  return {set.name(), std::move(pools), std::move(dags)};
}

}  // namespace rta::test
