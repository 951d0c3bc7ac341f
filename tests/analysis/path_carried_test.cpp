// T10c against hand-worked numbers.
#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "rta/analysis/path/derivations.hpp"
#include "rta/analysis/path/path.hpp"
#include "support/carried_oracle.hpp"
#include "support/inequality_laws.hpp"
#include "support/path_systems.hpp"

namespace {

using namespace rta::literals;
using namespace rta::analysis::path;
using rta::Time;
using rta::test::CarriedMutant;
using rta::test::CarriedOracle;
using rta::test::node;
using rta::test::pool;
using rta::test::sum_of;

Dag dag(Time T, Time Y, std::vector<Node> nodes, std::vector<Precedence> edges) {
  Dag dag = rta::test::dag(T, std::move(nodes), std::move(edges));
  dag.Y = Y;
  return dag;
}

/// Two processors, fully loaded: a (3) -> b (3), and x (2), every 4 ms.
System full() {
  System system;
  system.pools = {pool(Order::gel, 2)};
  system.dags = {dag(4_ms, 4_ms, {node(0, 3_ms), node(0, 3_ms)}, {{0, 1}}), dag(4_ms, 4_ms, {node(0, 2_ms)}, {})};
  return system;
}

}  // namespace

TEST_CASE("T10c: two full processors; what is left is one chain and a job of each DAG") {
  const System system = full();
  CHECK_FALSE(node_bounds(system, Refinement::T10v));
  // W = 6 + 2 + max(6, 3, 2) = 14. a: 3 - 3/2 + (14 - 3)/2 = 7, b: 3 - 3/2 + 3 - 3/2 + 14/2 = 10, x: 2 - 1 + 14/2 = 8.
  const auto bounds = node_bounds(system, Refinement::T10g);
  REQUIRE(bounds);
  CHECK(bounds->F[0] == std::vector{7_ms, 10_ms});
  CHECK(bounds->F[1] == std::vector{8_ms});
  CHECK(bounds->support[0] == std::vector(2, Support::carried));
  const Derivations derivations(system, *bounds);
  const auto a = derivations.by(Support::carried, 0, 0);
  const auto sum = sum_of<CountedSum>(a);
  CHECK(rta::analysis::ceil_to_time(a->total) == 7_ms);
  REQUIRE(sum.waits.size() == 1);
  REQUIRE(sum.waits[0].backlog);
  CHECK(sum.waits[0].backlog->carry == rta::analysis::fine(3_ms));  // over two processors, as all of it
  CHECK(sum.waits[0].backlog->after == rta::analysis::fine(Time(1'500'000)));
  CHECK(sum.waits[0].length == rta::analysis::fine(4_ms));  // (14 - 3 - 3)/2
}

TEST_CASE("T10c by the letter: the same two processors") {
  const System system = full();
  const auto F = CarriedOracle(system).nodes(1'000'000'000);
  REQUIRE(F);
  CHECK((*F)[0] == std::vector<std::int64_t>{7'000'000, 10'000'000});
  CHECK((*F)[1] == std::vector<std::int64_t>{8'000'000});
}

TEST_CASE("T10c: with points 0 and 2 jobs count whole, less what the pool has worked off since it was busy") {
  // a -> b with Y = 0: x's jobs count if released 2 before. Busy for 0: 6 + 6, for 2: 6 + 6 + 2 - 2 x 2, for 4: 6 + 12 + 2 - 8: W = 12,
  // where the second form has 6 + 6 + 2 (1 - 2/4). a: 3/2 + (12 - 3)/2 = 6, b: 3 + 12/2 = 9. x with Y = 2: 6 + 6 + 2, for 2: 6 + 12 + 2 - 4
  // = 16, where the second form has 6 + 6 (1 + 2/4) + 2 = 17: 1 + 16/2 = 9.
  System system = full();
  system.dags[0].Y = 0_ms;
  system.dags[1].Y = 2_ms;
  const auto bounds = node_bounds(system, Refinement::T10g);
  REQUIRE(bounds);
  CHECK(bounds->F[0] == std::vector{6_ms, 9_ms});
  CHECK(bounds->F[1] == std::vector{9_ms});
  const auto x = Derivations(system, *bounds).by(Support::carried, 1, 0);
  const auto sum = sum_of<CountedSum>(x);
  REQUIRE(sum.waits[0].backlog);
  const Backlog& backlog = *sum.waits[0].backlog;
  CHECK(backlog.busy == 2_ms);
  CHECK_FALSE(backlog.longer);
  CHECK(backlog.processors == 2);
  CHECK(backlog.worked_off == rta::analysis::fine(2_ms));
  CHECK(backlog.carry == rta::analysis::fine(3_ms));
  REQUIRE(backlog.parts.size() == 2);
  CHECK(backlog.parts[0].released == rta::analysis::fine(6_ms));
  CHECK(backlog.parts[1].released == rta::analysis::fine(1_ms));

  CarriedOracle oracle(system);
  CHECK(oracle.holds({{6'000'000, 9'000'000}, {9'000'000}}));
  CHECK_FALSE(oracle.holds({{6'000'000, 9'000'000}, {8'999'999}}));
  CHECK_FALSE(CarriedOracle(system, CarriedMutant::in_fractions).holds({{6'000'000, 9'000'000}, {9'000'000}}));
}

TEST_CASE("T10c: on one full processor, (2, 4) with points 0 and 2 end by 2 and 4 ms, where the second form has 3 and 5") {
  System system;
  system.pools = {pool(Order::gel, 1)};
  system.dags = {dag(4_ms, 0_ms, {node(0, 2_ms)}, {}), dag(4_ms, 2_ms, {node(0, 2_ms)}, {})};
  CHECK_FALSE(node_bounds(system, Refinement::T10n));
  const auto bounds = node_bounds(system, Refinement::T10g);
  REQUIRE(bounds);
  CHECK(bounds->F[0] == std::vector{2_ms});
  CHECK(bounds->F[1] == std::vector{4_ms});
  const auto broken = CarriedOracle(system, CarriedMutant::in_fractions).nodes(1'000'000'000);
  REQUIRE(broken);
  CHECK((*broken)[0] == std::vector<std::int64_t>{3'000'000});
  CHECK((*broken)[1] == std::vector<std::int64_t>{5'000'000});
}

TEST_CASE("T10c: a stage with an early point counts no job of a late one, and pays for its own from before") {
  // One processor. s (1), T = 4, Y = -8; x (2), T = 4, Y = 8: U = 3/4. For s, delta = -16 to x: no job of x that was not released 16 ms
  // before counts. F_s = 1. For x, delta = 16 to s: s counts (16 + z)/4 + 1 jobs by W. T10n counts those that are released while x waits:
  // F_x = 2 + ceil((1 + F_x)/4) = 3.
  System system;
  system.pools = {pool(Order::gel, 1)};
  system.dags = {dag(4_ms, Time(-8'000'000), {node(0, 1_ms)}, {}), dag(4_ms, 8_ms, {node(0, 2_ms)}, {})};
  const auto bounds = node_bounds(system, Refinement::T10g);
  REQUIRE(bounds);
  CHECK(bounds->F[0][0] == 1_ms);
  CHECK(bounds->F[1][0] == 3_ms);
}

TEST_CASE("T10c: of DAGs that also visit another pool, what is left goes by the age of their latest job") {
  // One processor p and a server q, one DAG: u (1 on p) -> w (2 on q) -> v (1 on p), T = 4. T10n: F_u = 1, F_w = 3, F_v = 4.
  // G = max over ages of the latest job: below 1 ms, 1 + 1 left and 2 x 1/4 to come: 2.5; below 4, 1 + 2 x 4/4 = 3: more than T10n's
  // count of 2, which stands.
  System system;
  system.pools = {pool(Order::gel, 1), pool(Order::fifo, 1)};
  system.dags = {dag(4_ms, 0_ms, {node(0, 1_ms), node(1, 2_ms), node(0, 1_ms)}, {{0, 1}, {1, 2}})};
  const auto bounds = node_bounds(system, Refinement::T10g);
  REQUIRE(bounds);
  CHECK(bounds->F[0] == std::vector{1_ms, 3_ms, 4_ms});
  CarriedOracle oracle(system);
  CHECK(oracle.holds({{1'000'000, 3'000'000, 4'000'000}}));
  CHECK_FALSE(oracle.holds({{1'000'000, 3'000'000, 3'999'999}}));
}

TEST_CASE("T10c without what was left before, or with a chain too few, promises too little") {
  const System system = full();
  // W = 8: a by 1.5 + (8 - 3)/2 = 4, b by 3 + 4 = 7, x by 1 + 4 = 5.
  const auto broken = CarriedOracle(system, CarriedMutant::one_chain_less).nodes(1'000'000'000);
  REQUIRE(broken);
  CHECK((*broken)[1][0] < 8'000'000);
  CHECK_FALSE(CarriedOracle(system).holds(*broken));
}
