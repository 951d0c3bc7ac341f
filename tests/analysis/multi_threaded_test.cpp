// T20, docs/theory/executors.md: by hand.
#include <doctest/doctest.h>

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
