// Random systems some of whose CPU pools are executors.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "support/random_system.hpp"

namespace rta::test {

/// Most CPU pools become executors, of one processor or of several threads whose nodes have groups, with periods that leave them time.
/// `reserved`: all are in reservations, of one thread, and of any kind.
inline TaskSet with_executors(const TaskSet& set, std::uint64_t seed, bool reserved = false) {
  Dice dice(seed);
  std::vector<Pool> pools(set.pools().begin(), set.pools().end());
  for (Pool& pool : pools) {
    auto* cpu = std::get_if<CpuPool>(&pool.resource);
    if (cpu == nullptr) continue;
    if (reserved) {
      *cpu = {.processors = 1, .scheduler = Scheduler::wait_set, .preemptive = false};
      if (dice.one_in(2)) *cpu = {.processors = 1, .scheduler = Scheduler::fifo, .callbacks = true};
      if (dice.one_in(3)) *cpu = {.processors = 1, .scheduler = Scheduler::fp, .preemptive = false, .callbacks = true};
      const std::int64_t period = dice.between(2, 40);
      cpu->reservation = Reservation{Time(dice.between((2 * period + 2) / 3, period)), Time(period)};
    } else if (dice.one_in(4)) {
      *cpu = {.processors = static_cast<std::uint32_t>(dice.between(1, 4)), .scheduler = Scheduler::multi_threaded, .preemptive = false};
    } else if (!dice.one_in(3)) {
      *cpu = {.processors = 1, .scheduler = Scheduler::wait_set, .preemptive = false};
      if (dice.one_in(4)) {
        const std::int64_t period = dice.between(2, 40);
        cpu->reservation = Reservation{Time(dice.between((2 * period + 2) / 3, period)), Time(period)};
      }
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
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (Node& node : nodes) {
      const auto* const cpu = std::get_if<CpuPool>(&pools[node.pool].resource);
      constexpr std::array<const char*, 4> groups{"", "a", "b", "reentrant"};
      if (cpu != nullptr && is_multi_threaded(*cpu)) node.group = groups[static_cast<std::size_t>(dice.between(0, 3))];
    }
    dags.emplace_back(dag.name(), dag.period() * times, dag.deadline(), std::move(nodes),
                      std::vector<Edge>(dag.edges().begin(), dag.edges().end()), attributes);
  }
  return {set.name(), std::move(pools), std::move(dags)};
}

}  // namespace rta::test
