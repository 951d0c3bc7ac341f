// T20 and T22, docs/theory/executors.md: by hand.
#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "rta/analysis/executors/wait_set.hpp"

using namespace rta;
using namespace rta::analysis;

namespace {

struct Callback {
  std::int64_t C = 0;
  std::uint32_t group = 0;
};

path::Dag chain(std::int64_t T, const std::vector<Callback>& callbacks) {
  path::Dag dag;
  dag.T = Time(T);
  dag.Y = Time(T);
  for (std::size_t i = 0; i < callbacks.size(); ++i) {
    path::Node node;
    node.e = Time(callbacks[i].C);
    node.s = node.vol = callbacks[i].C;
    node.group = callbacks[i].group;
    dag.nodes.push_back(node);
    if (i > 0) dag.edges.push_back({i - 1, i});
  }
  return dag;
}

path::Pool threads(std::uint32_t m) {
  path::Pool pool;
  pool.name = "x";
  pool.order = path::Order::multi_threaded;
  pool.capacity = m;
  return pool;
}

/// An executor that has 3 of every 5.
path::Pool reserved(path::Order order) {
  path::Pool pool;
  pool.name = "x";
  pool.order = order;
  pool.equals_any = order == path::Order::fixed_non_preemptive;
  pool.supply = path::Supply{Time(3), Time(5)};
  return pool;
}

std::vector<std::vector<std::int64_t>> ends(const path::System& system) {
  const auto bounds = executors::bounds(system);
  REQUIRE(bounds);
  std::vector<std::vector<std::int64_t>> ends;
  for (const auto& F : bounds->F) {
    auto& of = ends.emplace_back();
    for (const Time end : F) of.push_back(end.count());
  }
  return ends;
}

using Ends = std::vector<std::vector<std::int64_t>>;

}  // namespace

TEST_CASE("of a callback's group all counts, of the rest 1/m") {
  // Two threads; 2 and 3 every 10 of one group, 4 every 20 of another. At F = 10, 9, 9: 2 + 2 x 3 + 4/2 = 10; 3 + 2 x 2 + 4/2 = 9;
  // 4 + (2 x 2 + 2 x 3)/2 = 9.
  CHECK(ends({{threads(2)}, {chain(10, {{2, 1}}), chain(10, {{3, 1}}), chain(20, {{4, 2}})}}) == Ends{{10}, {9}, {9}});
  // All reentrant, at F = 6, 6, 7: 2 + (3 + 4)/2 = 5.5, as (6 + 6)/10 and (7 + 6)/20 are 2 and 1: 2 + (6 + 4)/2 = 7 ...
  // 7, 7, 9: 2 + (2 x 3 + 4)/2, 3 + (2 x 2 + 4)/2, 4 + (2 x 2 + 2 x 3)/2.
  CHECK(ends({{threads(2)}, {chain(10, {{2}}), chain(10, {{3}}), chain(20, {{4}})}}) == Ends{{7}, {7}, {9}});
}

TEST_CASE("a chain in one group does not wait for itself") {
  CHECK(ends({{threads(2)}, {chain(10, {{1, 1}, {2, 1}})}}) == Ends{{1, 3}});
  // Beside one more of the group: 4 every 10. F = 5, 7 and 7: 1 + 4; 1 + 2 + 4; 4 + 1 + 2. (7 + 7)/10 makes two of each:
  // 1 + 2 x 4 = 9, 3 + 8 = 11, 4 + 2 x 3 = 10; then (11 + 10)/10 makes three: 15, and so on, to no end.
  CHECK_FALSE(executors::bounds({{threads(2)}, {chain(10, {{1, 1}, {2, 1}}), chain(10, {{4, 1}})}}));
  // Every 30: 5, 7, 7.
  CHECK(ends({{threads(2)}, {chain(30, {{1, 1}, {2, 1}}), chain(30, {{4, 1}})}}) == Ends{{5, 7}, {7}});
}

TEST_CASE("a callback of 5 every 4 on three threads") {
  const auto exclusive = executors::bounds({{threads(3)}, {chain(4, {{5, 1}})}});
  REQUIRE_FALSE(exclusive);
  const auto* const over = std::get_if<reason::ExecutorOverload>(&exclusive.reason());
  REQUIRE(over != nullptr);
  CHECK(over->group == 1);
  // Reentrant: the one job before takes 1/3: 5 + 5/3.
  CHECK(ends({{threads(3)}, {chain(4, {{5}})}}) == Ends{{7}});
}

TEST_CASE("three threads that have more to do than they can") {
  const auto none = executors::bounds({{threads(3)}, {chain(10, {{31}})}});
  REQUIRE_FALSE(none);
  const auto* const over = std::get_if<reason::ExecutorOverload>(&none.reason());
  REQUIRE(over != nullptr);
  CHECK(over->threads == 3);
  CHECK(over->group == 0);
}

TEST_CASE("a callback alone in a reservation of 3 every 5") {
  // Y + 2 (ceil(Y/3) + 1): 1, 3, 4, 5, 6 take 5, 7, 10, 11, 12, in whatever order callbacks are picked; 0 counts as 1.
  for (const path::Order order : {path::Order::wait_set, path::Order::fifo, path::Order::fixed_non_preemptive}) {
    for (const auto& [C, end] : std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 5}, {1, 5}, {3, 7}, {4, 10}, {5, 11}, {6, 12}}) {
      CHECK(ends({{reserved(order)}, {chain(20, {{C}})}}) == Ends{{end}});
    }
  }
  path::Pool all = reserved(path::Order::wait_set);
  all.supply->runtime = Time(5);
  CHECK(ends({{all}, {chain(20, {{4}})}}) == Ends{{4}});
}

TEST_CASE("each visit to a reservation may be held back, and what waits there counts") {
  // 2, then 4 elsewhere, then 1: Y = 3, n = 2: 3 + 2 (4 - 1 + 1) = 11, and 4. The first 6, the second 10.
  path::Pool elsewhere;
  elsewhere.name = "p";
  path::Dag dag = chain(40, {{2}, {4}, {1}});
  dag.nodes[1].pool = 1;
  CHECK(ends({{reserved(path::Order::wait_set), elsewhere}, {dag}}) == Ends{{6, 10, 15}});
  // Both visits in one: Y = 3.
  CHECK(ends({{reserved(path::Order::wait_set)}, {chain(40, {{2}, {1}})}}) == Ends{{6, 7}});
  // By events, 2 beside 3: each 5 in all. By priority the first has the other's 3 started before it.
  CHECK(ends({{reserved(path::Order::fifo)}, {chain(40, {{2}}), chain(40, {{3}})}}) == Ends{{11}, {11}});
  path::System urgent{{reserved(path::Order::fixed_non_preemptive)}, {chain(40, {{2}}), chain(40, {{3}})}};
  urgent.dags[0].nodes[0].priority = 2;
  CHECK(ends(urgent) == Ends{{11}, {11}});
}

TEST_CASE("a reservation that gives less than is asked for") {
  const auto none = executors::bounds({{reserved(path::Order::wait_set)}, {chain(10, {{4}}), chain(100, {{21}})}});
  REQUIRE_FALSE(none);
  const auto* const over = std::get_if<reason::ExecutorOverload>(&none.reason());
  REQUIRE(over != nullptr);
  REQUIRE(over->reservation);
  CHECK(over->reservation->runtime == Time(3));
  CHECK(executors::bounds({{reserved(path::Order::wait_set)}, {chain(10, {{2}}), chain(100, {{3}})}}));
}
