// Random systems some of whose CPU pools are executors.
#pragma once

#include <utility>
#include <vector>

#include "support/random_system.hpp"

namespace rta::test {

/// Most CPU pools become executors of one processor, with periods that leave them time.
inline TaskSet with_executors(const TaskSet& set, std::uint64_t seed) {
  Dice dice(seed);
  std::vector<Pool> pools(set.pools().begin(), set.pools().end());
  for (Pool& pool : pools) {
    auto* cpu = std::get_if<CpuPool>(&pool.resource);
    if (cpu == nullptr) continue;
    if (!dice.one_in(3)) {
      *cpu = {.processors = 1, .scheduler = Scheduler::wait_set, .preemptive = false};
    } else if (!cpu->preemptive && has_priority_points(*cpu)) {
      cpu->preemptive = true;
    }
  }
  const std::int64_t times = dice.between(1, 4);
  std::vector<Dag> dags;
  dags.reserve(set.dags().size());
  for (const Dag& dag : set.dags()) {
    DagAttributes attributes = dag.attributes();
    attributes.T_max.reset();
    dags.emplace_back(dag.name(), dag.period() * times, dag.deadline(), std::vector<Node>(dag.nodes().begin(), dag.nodes().end()),
                      std::vector<Edge>(dag.edges().begin(), dag.edges().end()), attributes);
  }
  return {set.name(), std::move(pools), std::move(dags)};
}

}  // namespace rta::test
