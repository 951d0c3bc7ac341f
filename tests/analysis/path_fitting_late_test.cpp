// T12w and T12m against hand-worked numbers.
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
using Row = std::vector<Time>;

/// On the only pool.
Node node(Time C, std::uint32_t priority = 0) { return rta::test::node(0, C, priority); }

Dag late(Dag dag, Time J) {
  dag.J = J;
  return dag;
}

System on(Pool pool, std::vector<Dag> dags) {
  System system;
  system.pools = {std::move(pool)};
  system.dags = std::move(dags);
  return system;
}

NodeBounds proven(const System& system, Refinement refinement = Refinement::T10w) {
  auto bounds = node_bounds(system, refinement);
  REQUIRE(bounds);
  return *std::move(bounds);
}

}  // namespace

TEST_CASE("T12w: FIFO, (2, T = 10, J = 6) and a DAG of 3 before 1 with T = 30") {
  // Beside 3 jobs released 4 before it and with it have 2 each in [0, 7); in [0, 8), beside both nodes, no third fits.
  const System system = on(pool(Order::fifo, 1), {late(dag(10_ns, {node(2_ns)}), 6_ns), dag(30_ns, {node(3_ns), node(1_ns)}, {{0, 1}})});
  const NodeBounds found = proven(system);
  CHECK(found.F == std::vector{Row{8_ns}, Row{7_ns, 8_ns}});
  CHECK(proven(system, Refinement::T10g).F == std::vector{Row{8_ns}, Row{7_ns, 10_ns}});
  CHECK(found.support[1][1] == Support::fitting);
  const auto derivation = Derivations(system, found).by(Support::fitting, 1, 1);
  const auto sum = sum_of<FittingSum>(derivation);
  CHECK(sum.execution == 4_ns);
  CHECK(sum.pools[0].waiting == rta::analysis::fine(4_ns));
  CHECK(derivation->total == rta::analysis::fine(8_ns));
}

TEST_CASE("T12w: fixed priorities, (2, T = 10, J = 8) above 5 before 2 with T = 40") {
  // A job 8 late, released with the DAG, and one on time 2 later: 5 + 4, and in [0, 11) no third: 7 + 4.
  const System system =
      on(pool(Order::fixed, 1), {late(dag(10_ns, {node(2_ns, 2)}), 8_ns), dag(40_ns, {node(5_ns, 1), node(2_ns, 1)}, {{0, 1}})});
  CHECK(proven(system).F == std::vector{Row{2_ns}, Row{9_ns, 11_ns}});
}

TEST_CASE("T12w: more jitter than a period") {
  // Within [0, 8) of a release, three others of its DAG may have come 8 before or later: 2 + 3 x 2.
  const System system = on(pool(Order::fifo, 1), {late(dag(5_ns, {node(2_ns)}), 12_ns)});
  CHECK(proven(system, Refinement::T10n).F == std::vector<Row>{{8_ns}});
  const auto fitting = node_bounds(system, Refinement::T10w);
  REQUIRE(fitting);
  CHECK(fitting->F == std::vector<Row>{{7_ns}});  // T12j's 6.8
}

TEST_CASE("T12w: asked by itself of a node that is later than wanted, while it may be in time") {
  // Two chains of 1, 2, 3 never wait on two processors: 2 w <= w. T12d has 6 + 6/2, as all of the other may run beside one.
  const Dag chain = dag(20_ns, {node(1_ns), node(2_ns), node(3_ns)}, {{0, 1}, {1, 2}});
  const System system = on(pool(Order::fifo, 2), {late(chain, 1_ns), chain});
  Limits limits;
  const auto end_wanted_by = [&](Time D) {
    limits.wanted = {{100_ns, 100_ns, 100_ns}, {100_ns, 100_ns, D}};
    return node_bounds(system, Refinement::T10d, limits)->F[1][2];
  };
  CHECK(end_wanted_by(6_ns) == 6_ns);
  CHECK(end_wanted_by(8_ns) == 6_ns);
  CHECK(end_wanted_by(9_ns) == 9_ns);
  CHECK(end_wanted_by(5_ns) == 9_ns);
}

TEST_CASE("T12m: two long chains below a late job") {
  // T10m's example below (1, T = 10, J = 8): in [0, 15) jobs at 0, 2 and 12: 11 + (19 - 18 + 3)/1, and m halves of a ns, as two jobs meet
  // the window. T12: 11 + (8 + 3)/2 = 16.5.
  const System system = on(pool(Order::fixed, 2),
                           {dag(100_ms, {node(5_ms), node(4_ms), node(4_ms), node(5_ms), node(1_ms)}, {{0, 1}, {2, 3}, {0, 4}, {4, 3}}),
                            late(dag(10_ms, {node(1_ms, 1)}), 8_ms)});
  const NodeBounds found = proven(system);
  CHECK(found.F[0][3] == 15_ms + 1_ns);
  CHECK(found.support[0][3] == Support::families);
  const auto derivation = Derivations(system, found).by(Support::families, 0, 3);
  const auto sum = sum_of<FamilySum>(derivation);
  CHECK(sum.beside == 1_ms);
  CHECK(proven(system, Refinement::T10g).F[0][3] == 16500_us);
}

TEST_CASE("Work of late releases that fits: the worst nominal instants") {
  // In halves of a ns C = 8, F = 12, T = 20, window of 24. Up to 18 late: nominally at -22, -2 and 18, released at -4, 0 and 18: 8 + 8 + 6.
  const WorkThatFits free({{.C = 8, .F = 12, .lim = 200, .chain = 0}}, {20, 18}, 24, 1);
  CHECK(free.most(200).work == 22);
  // Beside a job of the DAG itself, 2 or 4 late: 8 + 6 or 6 + 8; on time: 8, released at -2, and 4.
  CHECK(free.most_of_others(200).work == 14);
  CHECK(free.others_at_phase(18, 200) == 14);
  CHECK(free.others_at_phase(20, 200) == 12);
  // What is released later does not count.
  const WorkThatFits limited({{.C = 8, .F = 12, .lim = 0, .chain = 0}}, {20, 18}, 24, 1);
  CHECK(limited.most_of_others(200).work == 8);
  CHECK(limited.most_of_others(6).work == 6);
  // More late than a period: nominally 10, 20 and 30 before a job on time, two released with it and one 6 before: 8 + 8 + 6.
  const WorkThatFits far({{.C = 8, .F = 12, .lim = 0, .chain = 0}}, {10, 24}, 24, 1);
  CHECK(far.most_of_others(200).work == 22);
}
