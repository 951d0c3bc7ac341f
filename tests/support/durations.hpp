// Random systems as a profile may tell them: durations of kernels in place of their blocks, or beside them.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "rta/model/kernel_time.hpp"
#include "support/random_system.hpp"

namespace rta::test {

/// Whether a block of each kernel fits on an SM.
inline bool all_fit(const TaskSet& set) {
  return std::ranges::all_of(set.dags(), [&](const Dag& dag) {
    return std::ranges::all_of(dag.nodes(), [&](const Node& node) {
      const auto* kernel = std::get_if<GpuDemand>(&node.demand);
      return kernel == nullptr || places(*kernel, std::get<GpuPool>(set.pools()[node.pool].resource)) > 0;
    });
  });
}

/// What a profile may tell of the kernels: their durations beside their blocks, in place of the lengths of blocks, or alone.
inline TaskSet with_durations(const TaskSet& played, std::uint64_t seed) {
  Dice dice(seed);
  const std::int64_t alone = dice.between(1, 4);  // in some systems all blocks are known
  std::vector<Dag> dags;
  for (const Dag& dag : played.dags()) {
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (Node& node : nodes) {
      auto* kernel = std::get_if<GpuDemand>(&node.demand);
      if (kernel == nullptr || kernel->L == Time::zero()) continue;
      const auto& gpu = std::get<GpuPool>(played.pools()[node.pool].resource);
      const Time D = duration_alone(*kernel, gpu);
      switch (dice.between(0, alone)) {
        case 1: kernel->time = D; break;
        case 2:
          kernel->time = kernel->L = D;
          kernel->C = Workload(Wide{D.count()} * kernel->H);
          break;
        case 3: *kernel = kernel_by_time(D, gpu, kernel->priority); break;
        default: break;
      }
      node.variation.reset();
    }
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::vector<Edge>(dag.edges().begin(), dag.edges().end()),
                      dag.attributes());
  }
  return {played.name(), {played.pools().begin(), played.pools().end()}, std::move(dags)};
}

}  // namespace rta::test
