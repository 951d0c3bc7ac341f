// T10d: what one node of a DAG tells beforehand, against hand-worked numbers and the whole search.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "analysis/path/path_nodes.hpp"
#include "support/path_systems.hpp"

namespace {

using rta::Time;
using namespace rta::analysis::path;
using rta::test::dag;
using rta::test::node;

/// A node of C below one of 8, on two processors; periods of 10.
System below_8(std::int64_t C) {
  System system;
  system.pools = {rta::test::pool(Order::fixed, 2)};
  system.dags = {dag(Time(10), {node(0, Time(8), 2)}, {}), dag(Time(10), {node(0, Time(C), 1)}, {})};
  return system;
}

[[nodiscard]] Limits within(std::int64_t periods) {
  Limits limits;
  limits.periods = periods;
  return limits;
}

/// Of the last DAG, as the ends of the others are at least.
bool foreseen(const System& system, const Limits& limits) {
  Ticks ticks = to_ticks(system, limits, true);
  Nodes nodes(ticks, rules_of(Refinement::T10d), limits.wanted);
  const Nodes::PerClass before = nodes.F;
  const bool foreseen = nodes.foresees_no_bound(ticks.class_of.back());
  CHECK(nodes.F == before);
  return foreseen;
}

/// DAGs of one priority each, the last one the least urgent, on one pool.
System random_system(std::mt19937_64& random) {
  const auto draw = [&](std::int64_t from, std::int64_t to) {
    return from + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(to - from + 1));
  };
  System system;
  const std::int64_t m = draw(2, 4);
  system.pools = {rta::test::pool(Order::fixed, static_cast<std::uint32_t>(m))};
  const std::int64_t dags = draw(2, 5);
  for (std::int64_t d = 0; d < dags; ++d) {
    const std::int64_t nodes = draw(1, 6);
    const std::int64_t T = draw(20, 120);
    std::vector<Node> all;
    std::vector<Precedence> edges;
    for (std::int64_t v = 0; v < nodes; ++v) {
      all.push_back(node(0, Time(draw(1, std::max<std::int64_t>(1, 2 * T * m / (dags * nodes)))), static_cast<std::uint32_t>(dags - d)));
      for (std::int64_t u = 0; u < v; ++u) {
        if (draw(0, 2) == 0) edges.push_back({static_cast<std::size_t>(u), static_cast<std::size_t>(v)});
      }
    }
    system.dags.push_back(dag(Time(T), std::move(all), std::move(edges)));
  }
  return system;
}

}  // namespace

TEST_CASE("T10d: a node that waits for more than its DAG's limit says so by itself") {
  // In L the node above does L, no more than 8, and of the job before or after it as much of L + 8 - 10 as is less: by half of that the
  // node below ends later. 7 + 7/2 > 10; 5 + 5/2 = 7.5, 5 + 8/2 = 9, and again.
  CHECK(foreseen(below_8(7), within(1)));
  CHECK_FALSE(node_bounds(below_8(7), Refinement::T10d, within(1)));
  CHECK_FALSE(foreseen(below_8(5), within(1)));
  const auto bounds = node_bounds(below_8(5), Refinement::T10d, within(1));
  REQUIRE(bounds);
  CHECK(bounds->R[1] <= Time(9));  // T24 may say less
}

TEST_CASE("T10d: no DAG of which that is foreseen has a bound within the limit") {
  std::mt19937_64 random(7);
  int foreseen_ones = 0;
  for (int i = 0; i < 1'500; ++i) {
    CAPTURE(i);
    const System system = random_system(random);
    Limits limits = within(1);
    for (const Dag& dag : system.dags) limits.wanted.emplace_back(dag.nodes.size(), dag.T);
    if (!foreseen(system, limits)) continue;
    ++foreseen_ones;
    limits.periods = 8;
    const auto bounds = node_bounds(system, Refinement::T10d, limits);
    if (bounds) CHECK(bounds->R.back() > system.dags.back().T);
  }
  CHECK(foreseen_ones > 100);
}
