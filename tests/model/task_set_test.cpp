#include "rta/model/task_set.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "rta/model/device.hpp"
#include "rta/model/error.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("a DAG knows its neighbours and an order") {
  const Dag dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms), cpu_node("b", 1_ms), cpu_node("c", 1_ms), cpu_node("d", 1_ms)},
                {{3, 1, false}, {3, 2, false}, {1, 0, false}, {2, 0, false}});
  CHECK(std::ranges::equal(dag.successors(3), std::vector<NodeId>{1, 2}));
  CHECK(std::ranges::equal(dag.predecessors(0), std::vector<NodeId>{1, 2}));
  CHECK(dag.predecessors(3).empty());
  CHECK(std::ranges::equal(dag.topological_order(), std::vector<NodeId>{3, 1, 2, 0}));
}

TEST_CASE("a DAG with a cycle, a double edge, a loop or no node cannot be made") {
  const std::vector<Node> two{cpu_node("a", 1_ms), cpu_node("b", 1_ms)};
  CHECK_THROWS_WITH_AS(Dag("d", 10_ms, std::nullopt, two, {{0, 1, false}, {1, 0, false}}), doctest::Contains("DAG 'd' has a cycle"),
                       Defect);
  CHECK_THROWS_WITH_AS(Dag("d", 10_ms, std::nullopt, two, {{0, 1, false}, {0, 1, true}}), doctest::Contains("DAG 'd' has an edge twice"),
                       Defect);
  CHECK_THROWS_WITH_AS(Dag("d", 10_ms, std::nullopt, two, {{0, 0, false}}), doctest::Contains("DAG 'd': node 'a' precedes itself"), Defect);
  CHECK_THROWS_WITH_AS(Dag("d", 10_ms, std::nullopt, two, {{0, 2, false}}), doctest::Contains("DAG 'd': an edge joins an unknown node"),
                       Defect);
  CHECK_THROWS_WITH_AS(Dag("d", 10_ms, std::nullopt, {}, {}), doctest::Contains("DAG 'd' has no node"), Defect);
  CHECK_THROWS_WITH_AS(Dag("d", 0_ms, std::nullopt, two, {}), doctest::Contains("DAG 'd': T must be positive"), Defect);
}

TEST_CASE("a task set refuses a demand that does not fit its pool, and names used twice") {
  const auto dag = [](const char* name, Node node) { return Dag(name, 10_ms, std::nullopt, {std::move(node)}, {}); };
  CHECK_THROWS_AS(TaskSet("s", {cpu_pool(1)}, {dag("d", gpu_node("k", 1, 32, 1_ms, 0))}), Defect);
  CHECK_THROWS_AS(TaskSet("s", {cpu_pool(1)}, {dag("d", cpu_node("a", 1_ms, 1))}), Defect);
  CHECK_THROWS_AS(TaskSet("s", {cpu_pool(1)}, {dag("d", cpu_node("a", 1_ms)), dag("d", cpu_node("a", 1_ms))}), Defect);
  CHECK_THROWS_AS(TaskSet("s", {cpu_pool(1), cpu_pool(2)}, {dag("d", cpu_node("a", 1_ms))}), Defect);
  CHECK(TaskSet("s", {cpu_pool(1)}, {dag("d", cpu_node("a", 1_ms))}).node_count() == 1);
}

TEST_CASE("the built-in devices are named as the task-set format says") {
  for (const char* name : {"tx1", "gtx-1070", "tx2", "xavier", "orin", "orin-nx", "orin-nano", "thor", "titan-v", "v100", "a100", "l4",
                           "h100", "h200", "b200", "rtx-4090", "rtx-5090"}) {
    CAPTURE(name);
    REQUIRE(find_device(name) != nullptr);
    CHECK(find_device(name)->gpu.device == name);
  }
  CHECK(find_device("titan-v")->gpu.sms == 80);
  CHECK(find_device("titan-v")->gpu.sm.threads == 2048);
  CHECK(find_device("tx2")->gpu.sms == 2);
  CHECK(find_device("TX2") == nullptr);
  CHECK(find_device("titan") == nullptr);
}
