// T23 and T24 against hand-worked numbers.
#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/path/visit/running.hpp"
#include "rta/analysis/path/derivations.hpp"
#include "rta/analysis/path/path.hpp"
#include "support/inequality_laws.hpp"
#include "support/path_systems.hpp"

namespace {

using namespace rta::analysis::path;
using rta::Time;
using rta::test::dag;
using rta::test::node;
using rta::test::pool;
using rta::test::sum_of;

System queue(std::uint32_t m, std::vector<Dag> dags) {
  System system;
  system.pools = {pool(Order::fifo, m)};
  system.dags = std::move(dags);
  return system;
}

std::vector<std::int64_t> ends(const System& system, std::size_t k, Refinement refinement = Refinement::T10g) {
  const auto bounds = node_bounds(system, refinement);
  REQUIRE(bounds);
  std::vector<std::int64_t> F;
  for (const Time f : bounds->F[k]) F.push_back(f.count());
  return F;
}

Dag chain(std::int64_t T, std::int64_t C, std::size_t n) {
  Dag d = dag(Time(T), std::vector<Node>(n, node(0, Time(C))));
  for (std::size_t v = 1; v < n; ++v) d.edges.push_back({v - 1, v});
  return d;
}

}  // namespace

// Every node waits for 0: 3, 6, 9, 12. a1: the next earlier job is 8 old, where a3 (9 - 8 = 1) or a4 (min(3, 4) = 3) may be ready, one
// chain: b = 1 < 2. a4 (A = 9, n = 1): a later job of age 0, an earlier one of 17: b = 1.
TEST_CASE("T23: a chain longer than its period on two processors and on many") {
  for (const std::uint32_t m : {2U, 64U}) {
    const System system = queue(m, {chain(8, 3, 4)});
    CHECK(ends(system, 0) == std::vector<std::int64_t>{3, 6, 9, 12});
    CHECK(ends(system, 0, Refinement::T10d) == std::vector<std::int64_t>{3, 6, 9, 12});
    CHECK(ends(system, 0, Refinement::T10w) == std::vector<std::int64_t>{3, 6, 9, 12});
  }
  CHECK(ends(queue(2, {chain(8, 3, 4)}), 0, Refinement::T10v).back() > 12);
}

// Four of them on eight processors: three others with jobs of ages 0 and 8, the own other job: b = 7 < 8.
TEST_CASE("T23: as many jobs at once as there are processors") {
  const System system = queue(8, std::vector<Dag>(4, chain(8, 3, 4)));
  for (std::size_t k = 0; k < 4; ++k) CHECK(ends(system, k) == std::vector<std::int64_t>{3, 6, 9, 12});
}

// d: 2 -> 2, T = 10; k: 1 here, 5 elsewhere, 1 here, T = 50. F_d = 0 + 1 + 2 = 3, 3 + 1 + 2 = 6; k: 2 + 1 = 3, 8, 8 + 2 + 1 = 11: only one
// of d's nodes is ready at once.
TEST_CASE("T23: a chain has one node ready") {
  System system = queue(1, {chain(10, 2, 2)});
  system.pools.push_back(pool(Order::fifo, 1));
  system.dags.push_back(dag(Time(50), {node(0, Time(1)), node(1, Time(5)), node(0, Time(1))}, {{0, 1}, {1, 2}}));
  CHECK(ends(system, 0) == std::vector<std::int64_t>{3, 6});
  CHECK(ends(system, 1) == std::vector<std::int64_t>{3, 8, 11});
  auto bounds = node_bounds(system, Refinement::T10g);
  CHECK(bounds->support[1][2] == Support::aligned);  // T30 says the same
  bounds->support[1][2] = Support::visit;
  const Derivations derivations(system, *bounds);
  const auto of = derivations.of(1, 2);
  CHECK(of.theorem == rta::analysis::Theorem::T23);
  rta::test::check_inequality(of, bounds->F[1][2]);
  const auto sum = sum_of<VisitSum>(of);
  CHECK(sum.ready == Time(8));
  CHECK(sum.waiting == Time(2));
  CHECK(sum.own == Time(1));
}

// (b): v and three strangers of 4, each alone in its DAG, on two processors: (a) 12/2 = 6; i = 0: h = floor(3/2) = 1: 4.
TEST_CASE("T23: pieces run to their end") {
  const System system = queue(2, {dag(Time(100), {node(0, Time(1))}), chain(100, 4, 1), chain(100, 4, 1), chain(100, 4, 1)});
  CHECK(ends(system, 0) == std::vector<std::int64_t>{5});
}

// m = 2, strangers 9, 1, 1: (a) i = 1: 2/1 = 2; (b) i = 1: h = 2: 2; i = 0: h = 1: 9.
TEST_CASE("T23: the longest piece keeps one processor") {
  const System system = queue(2, {dag(Time(100), {node(0, Time(1))}), chain(100, 9, 1), chain(100, 1, 1), chain(100, 1, 1)});
  CHECK(ends(system, 0) == std::vector<std::int64_t>{3});
}

// GPU of four places, every block weighs half an SM: v of 4 blocks of 10, a stranger of 4 of 7 in a DAG of its own. (a): 2 w <= 4 (1/2)
// min(7, w) + 3 (1/2) min(10, w): 3.5 w >= 2 w up to w = 7: 14 + 1.5 w with w <= 10: w = 10: 29 >= 20, 14 + 15 = 29: w = 14.5. (c): 7 + 10
// - 10 = 7.
TEST_CASE("T23: kernels one after the other") {
  System system;
  system.pools = {pool(Order::fifo, 2)};
  system.pools[0].unit_weights = false;
  system.pools[0].unit = 2;
  const auto of = [](std::int64_t B, std::int64_t L) {
    Node node;
    node.e = Time(L);
    node.s = L;  // weight 1 of 2
    node.vol = B * L;
    node.alone = Time((B + 3) / 4 * L);
    return node;
  };
  system.dags = {dag(Time(100), {of(4, 10)}), dag(Time(100), {of(4, 7)})};
  CHECK(ends(system, 0) == std::vector<std::int64_t>{17});
  CHECK(ends(system, 1) == std::vector<std::int64_t>{17});
}

// A node of length 0 counts as the least unit of time; one that other nodes of length 0 go before does not wait.
TEST_CASE("T23: nodes of length 0") {
  const System system = queue(1, {chain(5, 0, 2), chain(5, 0, 3)});
  for (const std::int64_t F : ends(system, 1)) CHECK(F <= 3);
}

// A hundred operators: more than 64 jobs may be under way, and nothing is said of any node on a processor where they are.
TEST_CASE("T23: too many jobs under way") {
  System system;
  system.pools.assign(1, pool(Order::fifo, 200));
  system.dags = {chain(10, 10, 100)};
  const auto bounds = node_bounds(system, Refinement::T10g);
  REQUIRE(bounds);
  for (const auto by : bounds->support[0]) CHECK(by != Support::visit);
}

// Four chains of four nodes of 3, T = 8, on eight processors: while a node waits, of each other chain jobs of ages 0 and 8 run one node
// each, of its own that of age 8 more: 7 < 8, nothing waits.
TEST_CASE("T24: no more run at once than there are processors") {
  for (const Order order : {Order::gel, Order::fixed}) {
    System system = queue(8, std::vector<Dag>(4, chain(8, 3, 4)));
    system.pools[0].order = order;
    for (std::size_t k = 0; k < 4; ++k) {
      system.dags[k].Y = Time(8);
      for (Node& of : system.dags[k].nodes) of.priority = static_cast<std::uint32_t>(k);
    }
    const auto F = ends(system, 0);
    if (order == Order::gel) CHECK(F == std::vector<std::int64_t>{3, 6, 9, 12});
    const auto most_urgent = ends(system, 3);
    CHECK(most_urgent.back() <= 12);
  }
}

// The chain alone on two processors, G-EDF: of its own jobs one more runs: 12.
TEST_CASE("T24: a chain longer than its period") {
  System system = queue(2, {chain(8, 3, 4)});
  system.pools[0].order = Order::gel;
  system.dags[0].Y = Time(8);
  CHECK(ends(system, 0) == std::vector<std::int64_t>{3, 6, 9, 12});
  CHECK(ends(system, 0, Refinement::T10n).back() > 12);
}

// On the way up no end passes its period, so T10a says what a waits for: x 5.5. Asked at these ends T24 says of either DAG that one node
// of the other runs at once, 1 < 2: nothing waits.
TEST_CASE("T24: ends come down to what it says where a deadline is open") {
  for (const std::int64_t ms : {1, 1'000'000}) {
    Dag a = chain(33 * ms, 10 * ms, 2);
    Dag b = chain(47 * ms, 12 * ms, 2);
    for (Dag* const d : {&a, &b}) d->nodes[1] = node(0, Time(5 * ms));
    a.Y = Time(15 * ms);
    b.Y = Time(21 * ms);
    System system = queue(2, {a, b});
    system.pools[0].order = Order::gel;
    CHECK(ends(system, 0, Refinement::T10v).back() > 20 * ms);
    Limits limits;
    for (const std::int64_t D : {15 * ms, 21 * ms}) limits.wanted.emplace_back(2, Time(D));
    const auto bounds = node_bounds(system, Refinement::T10d, limits);
    REQUIRE(bounds);
    CHECK(bounds->F[0] == std::vector{Time(10 * ms), Time(15 * ms)});
    CHECK(bounds->F[1] == std::vector{Time(12 * ms), Time(17 * ms)});
    const Derivations derivations(system, *bounds);
    CHECK(derivations.of(0, 1).theorem == rta::analysis::Theorem::T24);
    rta::test::check_inequality(derivations.of(0, 1), bounds->F[0][1]);
    // Where no later end is wanted nothing is searched for.
    for (auto& of_dag : limits.wanted) of_dag.assign(2, Time(100 * ms));
    const auto enough = node_bounds(system, Refinement::T10d, limits);
    CHECK(enough->R[0] > Time(15 * ms));
  }
}

TEST_CASE("T24: a node that waits for what comes while it waits") {
  System system = queue(1, {dag(Time(100), {node(0, Time(2))}), dag(Time(4), {node(0, Time(1))})});
  system.pools[0].order = Order::gel;
  system.dags[0].Y = Time(100);
  system.dags[1].Y = Time(4);
  // The stranger waits for nothing: v's point is later. v: F = 3 (T10n) or 2 + w, w <= n, n = ceil((1 + F)/4) = 1: 3.
  CHECK(ends(system, 1) == std::vector<std::int64_t>{1});
  CHECK(ends(system, 0) == std::vector<std::int64_t>{3});
}

// Of ends that are 2^80 periods long as many jobs may run at once; in 2^62 ns that passes 128 bits, but no more is done than is counted.
TEST_CASE("T24: more jobs at once than numbers hold do no more than all that count") {
  rta::analysis::path::RunningPool::Parts parts;
  parts.jobs.push_back({.k = 0, .copies = 1, .of_itself = false, .at_once = rta::Wide{1} << 80U, .first = 0, .last = 1});
  parts.counted.emplace_back(3, 5);
  CHECK(parts.work(std::int64_t{1} << 62U).sum == 15);
  CHECK(parts.work(2).sum == 6);
}
