// Which DAGs a round may leave out although others have changed.
#include "analysis/path/path_touched.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/io/task_set_file.hpp"
#include "support/path_systems.hpp"

namespace {

using namespace rta::literals;
using namespace rta::analysis::path;

constexpr std::int64_t ms = 1'000'000;

/// DAGs of one node of 1 ms on one pool, with T and Y - T as given; classes are in this order where T rises.
System two(Order order, rta::Time later = rta::Time()) {
  System system;
  system.pools = {rta::test::pool(order, 1)};
  system.dags = {rta::test::dag(10_ms, {rta::test::node(0, 1_ms)}), rta::test::dag(20_ms, {rta::test::node(0, 1_ms)})};
  system.dags[0].Y = 10_ms;
  system.dags[1].Y = 10_ms + later;
  return system;
}

/// Whether class 1, whose a or b is `reach`, is due in the round after class 0's end has risen. Its own end has not.
bool due_after(const Ticks& ticks, std::int64_t reach, std::int64_t from, std::int64_t to) {
  Touched touched(ticks);
  const std::vector<std::int64_t> of{reach};
  touched.begin_round();
  CHECK(touched.is_due(1, of));  // in the first round all are
  touched.rises(0, 0, from, to);
  touched.begin_round();
  return touched.is_due(1, of);
}

}  // namespace

TEST_CASE("On a GEL pool a DAG is due where a release lies beside an end that has risen") {
  // min(b, Y_k - Y_d) = min(6, 4) = 4 ms: releases of the other DAG that may decide are 4 ms later, 6 ms earlier, 16 ms earlier ...
  const System system = two(Order::gel, 4_ms);
  const Ticks ticks = to_ticks(system, {}, true);
  CHECK_FALSE(due_after(ticks, 6 * ms, 2 * ms, 5 * ms));      // all of 1 ms counts up to 1 ms, and nothing from 5 ms on
  CHECK(due_after(ticks, 6 * ms, 5 * ms, 7 * ms));            // 6 ms lies in 4 .. 7
  CHECK_FALSE(due_after(ticks, 6 * ms, 5 * ms, 6 * ms));      // nothing is left of a job whose end this is
  CHECK(due_after(ticks, 6 * ms, 5 * ms, 6 * ms + 1));        // 1 ns is
  CHECK(due_after(ticks, 6 * ms, 7 * ms, 7 * ms + 1));        // up to then all of it counted, now the same: taken in for safety
  CHECK_FALSE(due_after(ticks, 6 * ms, 7 * ms + 1, 9 * ms));  // behind it
  CHECK(due_after(ticks, 6 * ms, 8 * ms, 17 * ms));           // a period on
}

TEST_CASE("On a FIFO pool releases count from the ready time") {
  // a = 3 ms: 3 ms later, 7 ms earlier.
  const System system = two(Order::fifo);
  const Ticks ticks = to_ticks(system, {}, true);
  CHECK_FALSE(due_after(ticks, 3 * ms, 3 * ms, 6 * ms));
  CHECK(due_after(ticks, 3 * ms, 3 * ms, 8 * ms));
  CHECK_FALSE(due_after(ticks, 3 * ms, 12 * ms, 15 * ms));
  // T30: the other's jobs count in turns where its nodes end within T = 10 ms.
  CHECK(due_after(ticks, 3 * ms, 9 * ms, 15 * ms));
  CHECK(due_after(ticks, 3 * ms, 10 * ms, 10 * ms + 1));
  CHECK_FALSE(due_after(ticks, 3 * ms, 9 * ms, 10 * ms));
}

TEST_CASE("Ends that rise past the period are seen by those that count in turns") {
  // dag2's ends rise past T = 20 ms when nothing else that dag0 reads changes.
  const std::string text = R"(platform: {cpu: {processors: 2, scheduler: G-EDF}, gpu: {sms: 4, threads: 1024, blocks: 8}}
dags:
  - name: dag0
    T: 30 ms
    D: 30 ms
    nodes:
      n0: {on: cpu, C: 7 ms}
      n1: {on: cpu, C: 5 ms}
      n2: {on: gpu, B: 7, L: 1 ms, H: 256}
      n3: {on: cpu, C: 1 ms}
      n4: {on: cpu, C: 8 ms}
    edges: [n0 -> n1, n1 -> n2, n0 -> n3, n1 -> n4, n2 -> n4, n3 -> n4]
  - name: dag1
    T: 30 ms
    D: 30 ms
    nodes:
      n0: {on: gpu, B: 4, L: 3 ms, H: 256}
      n1: {on: cpu, C: 1 ms}
  - name: dag2
    T: 20 ms
    D: 20 ms
    nodes:
      n0: {on: cpu, C: 7 ms}
      n1: {on: cpu, C: 2 ms}
      n2: {on: gpu, B: 5, L: 4 ms, H: 256}
    edges: [n0 -> n2, n1 -> n2]
)";
  rta::analysis::Options options;
  options.release = rta::Release::completion;
  const auto set = std::make_shared<const rta::TaskSet>(rta::io::parse_task_set(text, "set.yaml").task_set);
  const rta::analysis::Analysis analysis = rta::analysis::analyze(set, options);
  for (const auto& dag : analysis.proof.dags) CHECK(dag.bound);
}

TEST_CASE("A DAG is due after its own ends have risen, and on pools of other orders always") {
  const System system = two(Order::gel, 4_ms);
  const Ticks ticks = to_ticks(system, {}, true);
  Touched touched(ticks);
  const std::vector<std::int64_t> reach{6 * ms};
  touched.begin_round();
  touched.rises(1, 0, 2 * ms, 3 * ms);
  touched.begin_round();
  CHECK(touched.is_due(1, reach));
  touched.begin_round();
  CHECK_FALSE(touched.is_due(1, reach));
  for (const Order order : {Order::gel_non_preemptive, Order::gel_by_node, Order::fixed, Order::fixed_non_preemptive}) {
    const System other = two(order);
    CHECK(due_after(to_ticks(other, {}, true), 6 * ms, 2 * ms, 3 * ms));
  }
}

TEST_CASE("Many ends that have risen are not looked at one by one") {
  const System system = two(Order::gel, 4_ms);
  const Ticks ticks = to_ticks(system, {}, true);
  Touched touched(ticks);
  const std::vector<std::int64_t> reach{6 * ms};
  touched.begin_round();
  for (int i = 0; i < 8; ++i) touched.rises(0, 0, 2 * ms, 3 * ms);
  touched.begin_round();
  CHECK_FALSE(touched.is_due(1, reach));
  touched.rises(0, 0, 2 * ms, 3 * ms);
  CHECK(touched.is_due(1, reach));  // nine, of this round and the one before
}
