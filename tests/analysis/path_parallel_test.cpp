// T10p against hand-worked numbers.
#include <doctest/doctest.h>

#include <vector>

#include "rta/analysis/path/derivations.hpp"
#include "rta/analysis/path/path.hpp"
#include "support/inequality_laws.hpp"
#include "support/path_systems.hpp"

namespace {

using namespace rta::literals;
using namespace rta::analysis::path;
using rta::Time;
using rta::test::dag;
using rta::test::node;
using rta::test::pool;
using rta::test::sum_of;

/// a (5) -> b (2) on two processors, then c (3) elsewhere; and from b over d (1), elsewhere too, to e (2) on the processors.
System branches(Order order) {
  System system;
  system.pools = {pool(order, 2), pool(Order::fifo, 1), pool(Order::fifo, 1)};
  system.dags = {
      dag(100_ms, {node(0, 5_ms), node(0, 2_ms), node(1, 3_ms), node(2, 1_ms), node(0, 2_ms)}, {{0, 1}, {1, 2}, {1, 3}, {3, 4}})};
  return system;
}

}  // namespace

TEST_CASE("T10p: what follows all of a path's nodes on a pool does not run while it waits there") {
  for (const Order order : {Order::fifo, Order::gel, Order::gel_by_node, Order::fixed}) {
    const System system = branches(order);
    // c: T10n counts e, which does not follow c: 5 + 2 + 3 + 2/2 = 11. But e follows a and b: 10.
    const auto counted = node_bounds(system, Refinement::T10n);
    REQUIRE(counted);
    CHECK(counted->F[0] == std::vector{5_ms, 7_ms, 11_ms, 8_ms, 10_ms});
    const auto bounds = node_bounds(system, Refinement::T10w);
    REQUIRE(bounds);
    CHECK(bounds->F[0] == std::vector{5_ms, 7_ms, 10_ms, 8_ms, 10_ms});
    CHECK(bounds->support[0][2] == (order == Order::fifo ? Support::aligned : Support::parallel));  // there T10a's turns say as much
    CHECK(bounds->support[0][1] != Support::parallel);

    const Derivations derivations(system, *bounds);
    const auto derivation = derivations.by(Support::parallel, 0, 2);
    const auto sum = sum_of<CountedSum>(derivation);
    CHECK(derivation->path == std::vector<std::size_t>{0, 1, 2});
    CHECK(sum.execution == 10_ms);
    CHECK(sum.waits[0].last_pieces == (7_ms).count());
    CHECK(sum.waits[0].jobs[0].work == (7_ms).count());
    CHECK(rta::analysis::ceil_to_time(derivation->total) == 10_ms);
  }
}

TEST_CASE("T10p: a path through another pool waits for what is parallel to its own nodes alone") {
  // m = 1: a (4), b (1) elsewhere; c (2) after both. By b: b and c, to which nothing is parallel: 3. By a: 6. T10n: by b 1 + 2 + 4 = 7.
  System system;
  system.pools = {pool(Order::fifo, 1), pool(Order::fifo, 1)};
  system.dags = {dag(100_ms, {node(0, 4_ms), node(1, 1_ms), node(0, 2_ms)}, {{0, 2}, {1, 2}})};
  CHECK(node_bounds(system, Refinement::T10n)->F[0][2] == 7_ms);
  CHECK(node_bounds(system, Refinement::T10w)->F[0][2] == 6_ms);
}

TEST_CASE("T10p: under fixed priorities less urgent nodes do not count, whatever they are parallel to") {
  // m = 1: a (2, priority 2) and b (3, priority 1) side by side, c (1, priority 1) after a. a: 2. b: 3 + 2, and c, as urgent, is ready by
  // 2:
  // 6. c: by a and c, beside which b runs: 2 + 1 + 3 = 6.
  System system;
  system.pools = {pool(Order::fixed, 1)};
  system.dags = {dag(100_ms, {node(0, 2_ms, 2), node(0, 3_ms, 1), node(0, 1_ms, 1)}, {{0, 2}})};
  const auto bounds = node_bounds(system, Refinement::T10w);
  REQUIRE(bounds);
  CHECK(bounds->F[0] == std::vector{2_ms, 6_ms, 6_ms});
}

TEST_CASE("T10p: with a point per node, later ones do not count, whatever they are parallel to") {
  // m = 1: q1 (2, point 0), then 10 elsewhere, then q2 (1, point 20); u (3, point 10) before q2, too. T10n: u precedes q2: 2 + 10 + 1 + 3
  // = 16. But q1 does not let u go first, and q2 follows it: 13. By u: 3 + 1, and q1, which is beside u: 6. By ready time q1 may wait for
  // u: 16.
  System system;
  system.pools = {pool(Order::gel_by_node, 1), pool(Order::fifo, 1)};
  system.dags = {dag(100_ms, {node(0, 2_ms), node(1, 10_ms), node(0, 1_ms), node(0, 3_ms)}, {{0, 1}, {1, 2}, {3, 2}})};
  system.dags[0].nodes[2].Y = 20_ms;
  system.dags[0].nodes[3].Y = 10_ms;
  CHECK(node_bounds(system, Refinement::T10n)->F[0][2] == 16_ms);
  const auto bounds = node_bounds(system, Refinement::T10w);
  REQUIRE(bounds);
  CHECK(bounds->F[0][2] == 13_ms);
  CHECK(bounds->support[0][2] == Support::parallel);
  const auto derivation = Derivations(system, *bounds).by(Support::parallel, 0, 2);
  REQUIRE(derivation);
  CHECK(rta::analysis::ceil_to_time(derivation->total) == 13_ms);
  system.pools[0].order = Order::fifo;
  CHECK(node_bounds(system, Refinement::T10w)->F[0][2] == 16_ms);
}
