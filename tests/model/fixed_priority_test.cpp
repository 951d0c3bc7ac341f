// Which priority a node has under FP.
#include "rta/model/fixed_priority.hpp"

#include <doctest/doctest.h>

#include "rta/model/error.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;

namespace {

Node with_priority(Node node, FixedPriority priority) {
  std::get<CpuDemand>(node.demand).priority = priority;
  return node;
}

Dag dag(const char* name, Time T, std::optional<Time> D, std::vector<Node> nodes, std::optional<FixedPriority> priority = std::nullopt) {
  return {name, T, D, std::move(nodes), {}, {.priority = priority}};
}

using Row = std::vector<FixedPriority>;

}  // namespace

TEST_CASE("Without priorities the shortest relative deadline is the most urgent; T stands for D, the first of equals comes first") {
  // D: 20, T = 15 without D, 10, 15: c above b above d above a.
  const auto set =
      task_set({cpu_pool(2, Scheduler::fp)},
               {dag("a", 50_ms, 20_ms, {cpu_node("a", 1_ms), cpu_node("b", 1_ms)}), dag("b", 15_ms, std::nullopt, {cpu_node("b", 1_ms)}),
                dag("c", 50_ms, 10_ms, {cpu_node("c", 1_ms)}), dag("d", 50_ms, 15_ms, {cpu_node("d", 1_ms)})});
  const auto priorities = fixed_priorities(*set);
  CHECK(priorities.of == PerNode<FixedPriority>{{1, 1}, {3}, {4}, {2}});
  CHECK(priorities.deadline_monotonic == std::vector<PoolId>{0});
}

TEST_CASE("A node's own priority comes before its DAG's; each pool decides for itself") {
  const auto set = task_set({cpu_pool(1, Scheduler::fp), cpu_pool(1, Scheduler::fp, "other"), cpu_pool(1, Scheduler::g_edf, "edf")},
                            {dag("a", 20_ms, std::nullopt, {cpu_node("a", 1_ms), with_priority(cpu_node("b", 1_ms), 9)}, 5),
                             dag("b", 10_ms, std::nullopt, {cpu_node("a", 1_ms, 1), cpu_node("b", 1_ms, 2)})});
  const auto priorities = fixed_priorities(*set);
  CHECK(priorities.of == PerNode<FixedPriority>{{5, 9}, {1, 0}});  // 0: not under FP
  CHECK(priorities.deadline_monotonic == std::vector<PoolId>{1});
  CHECK(first_pool_under_fp(*set) == 0);
}

TEST_CASE("A pool on which only some nodes have a priority is refused") {
  const auto set = task_set({cpu_pool(1, Scheduler::fp)}, {dag("a", 20_ms, std::nullopt, {cpu_node("a", 1_ms)}, 5),
                                                           dag("b", 10_ms, std::nullopt, {cpu_node("a", 1_ms)})});
  CHECK_THROWS_WITH_AS((void)fixed_priorities(*set),
                       "pool 'cpu': node 'b/a' has no priority, while others have; under FP all nodes of a pool have one, or none",
                       UserError);
}

TEST_CASE("A pool under FP that nothing runs on decides nothing") {
  const auto set = task_set({cpu_pool(1), cpu_pool(1, Scheduler::fp, "unused")}, {dag("a", 20_ms, std::nullopt, {cpu_node("a", 1_ms)})});
  CHECK_FALSE(first_pool_under_fp(*set));
  CHECK(fixed_priorities(*set).of == PerNode<FixedPriority>{Row{0}});
}
