// T10w against hand-worked numbers.
#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "analysis/path/fitting/work_that_fits.hpp"
#include "rta/analysis/path/derivations.hpp"
#include "rta/analysis/path/path.hpp"
#include "support/inequality_laws.hpp"
#include "support/path_systems.hpp"

namespace {

using namespace rta::literals;
using namespace rta::analysis::path;
using rta::Time;
using rta::test::dag;
using rta::test::pool;
using rta::test::sum_of;

/// On the only pool.
Node node(Time C, std::uint32_t priority = 0) { return rta::test::node(0, C, priority); }

Dag chain(Time T, std::uint32_t priority) {
  return dag(T, {node(1_ms, priority), node(2_ms, priority), node(3_ms, priority)}, {{0, 1}, {1, 2}});
}

System on(Pool pool, std::vector<Dag> dags) {
  System system;
  system.pools = {std::move(pool)};
  system.dags = std::move(dags);
  return system;
}

std::vector<std::vector<Time>> ends(const System& system) {
  const auto bounds = node_bounds(system, Refinement::T10w);
  REQUIRE(bounds);
  return bounds->F;
}

}  // namespace

TEST_CASE("T10w: two chains behind a FIFO; each counts once while the other waits") {
  // 1 + 6 = 7; then 3 + 6 and 6 + 6: the other chain is 6 at most, as no two of its jobs meet in a window of 12 (F = 12 < T = 20).
  const System system = on(pool(Order::fifo, 1), {chain(20_ms, 0), chain(20_ms, 0)});
  // By T10a's turns the first nodes wait for no more than one and two of the other chain: 1 + 3 and 3 + 5.
  CHECK(ends(system)[0] == std::vector{4_ms, 8_ms, 12_ms});
  CHECK(node_bounds(system, Refinement::T10n)->F[0] == std::vector{7_ms, 12_ms, 17_ms});
}

TEST_CASE("T10w: as many processors as chains: nothing waits") {
  // While one chain waits for w both processors are busy, but the other runs for no more than w: 2 w <= w.
  for (const Order order : {Order::fifo, Order::gel, Order::gel_by_node, Order::fixed}) {
    const auto F = ends(on(pool(order, 2), {chain(20_ms, 2), chain(20_ms, 1)}));
    CHECK(F[0] == std::vector{1_ms, 3_ms, 6_ms});
    CHECK(F[1] == std::vector{1_ms, 3_ms, 6_ms});
  }
}

TEST_CASE("T10w on one processor under fixed priorities gives classic response times of tasks that fit") {
  // (1, 4), (2, 6), (3, 13): the last waits within 10 for 1 at 0, 4 and 8, and for 2 at 0 and 6: 3 + 3 + 4 = 10.
  auto F = ends(on(pool(Order::fixed, 1), {dag(4_ms, {node(1_ms, 3)}), dag(6_ms, {node(2_ms, 2)}), dag(13_ms, {node(3_ms, 1)})}));
  CHECK(F == std::vector<std::vector<Time>>{{1_ms}, {3_ms}, {10_ms}});
  // (2, 4) above (4, 8): full, and T11 has no solution.
  const System full = on(pool(Order::fixed, 1), {dag(4_ms, {node(2_ms, 2)}), dag(8_ms, {node(4_ms, 1)})});
  CHECK_FALSE(node_bounds(full, Refinement::T10v));
  CHECK(ends(full) == std::vector<std::vector<Time>>{{2_ms}, {8_ms}});
}

TEST_CASE("T10m: two long chains get on together") {
  // a1 (5) -> a2 (4), b1 (4) -> b2 (5), a1 -> n (1) -> b2. L = 11, V = 19; the chains a1, a2 and b1, b2 have 18 of it.
  // b2: 11 + (19 - 18)/1 = 12, where Graham has 11 + 8/2 = 15. a2: 9 + (1 + 11 - 9)/1 = 12.
  const std::vector<Node> nodes{node(5_ms), node(4_ms), node(4_ms), node(5_ms), node(1_ms)};
  const std::vector<Precedence> edges{{0, 1}, {2, 3}, {0, 4}, {4, 3}};
  for (const Order order : {Order::fifo, Order::gel, Order::gel_by_node, Order::fixed}) {
    const System system = on(pool(order, 2), {dag(100_ms, nodes, edges)});
    const auto bounds = node_bounds(system, Refinement::T10w);
    REQUIRE(bounds);
    CHECK(bounds->R[0] == 12_ms);
    CHECK(bounds->F[0][3] == 12_ms);
    CHECK(bounds->support[0][3] == Support::families);
    const auto derivation = Derivations(system, *bounds).by(Support::families, 0, 3);
    const auto sum = sum_of<FamilySum>(derivation);
    CHECK(sum.longest == 11_ms);
    CHECK(sum.beside == 1_ms);
    CHECK(sum.free == 1);
    CHECK(sum.chains.size() == 2);
    CHECK(derivation->path == std::vector<std::size_t>{0, 4, 3});
  }
  // A last node of length 0 takes no less than what is before it: the least unit of time more, rounded up.
  auto with_end = nodes;
  with_end.push_back(node(0_ms));
  auto to_end = edges;
  to_end.push_back({1, 5});
  to_end.push_back({3, 5});
  CHECK(node_bounds(on(pool(Order::fifo, 2), {dag(100_ms, with_end, to_end)}), Refinement::T10w)->R[0] == 12_ms + 1_ns);
  // A more urgent job of 2, T = 100, counts once: 11 + (1 + 2)/1.
  System shared = on(pool(Order::fixed, 2), {dag(100_ms, nodes, edges), dag(100_ms, {node(2_ms, 1)})});
  CHECK(node_bounds(shared, Refinement::T10w)->R[0] == 14_ms);
}

TEST_CASE("Work that fits: the worst phase is at a kink") {
  // C = 4, F = 6, T = 10, window of 12 (in halves of a ns). Released at -2 it has all of its 4 left within [0, 4), and so has the one at 8:
  // 8. With releases up to 5 alone: one at 5 has 4, and one at -5 overlaps for 1.
  const WorkThatFits free({{.C = 4, .F = 6, .lim = 100, .chain = 0}}, {10}, 12, 1);
  CHECK(free.most(100).work == 8);
  const WorkThatFits limited({{.C = 4, .F = 6, .lim = 5, .chain = 0}}, {10}, 12, 1);
  CHECK(limited.most(100).work == 5);
  CHECK(limited.most(100).phase == 5);
  // Cut at 3: 3 and 1. At 10 and -10 nothing is left but, released at 10, 2.
  CHECK(limited.most(3).work == 4);
  CHECK(free.most_of_others(100).work == 2);
}

TEST_CASE("Work that fits: a chain runs one node at a time, a DAG on no more than m processors") {
  // Two nodes of 3 that end by 6, window of 4: each 3, of one chain 4 together; of two chains 6, on one processor 4.
  const std::vector<WorkThatFits::Node> chain{{.C = 3, .F = 6, .lim = 0, .chain = 0}, {.C = 3, .F = 6, .lim = 0, .chain = 0}};
  const std::vector<WorkThatFits::Node> two{{.C = 3, .F = 6, .lim = 0, .chain = 0}, {.C = 3, .F = 6, .lim = 0, .chain = 1}};
  CHECK(WorkThatFits(chain, {100}, 4, 2).most(100).work == 4);
  CHECK(WorkThatFits(two, {100}, 4, 2).most(100).work == 6);
  CHECK(WorkThatFits(two, {100}, 4, 1).most(100).work == 4);
  CHECK(WorkThatFits(two, {100}, 4, 2).most(2).work == 4);
}
