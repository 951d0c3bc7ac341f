// T12 against hand-worked numbers.
#include <doctest/doctest.h>

#include "analysis/path/system/late_jobs.hpp"
#include "analysis/path/whole/whole_window.hpp"
#include "rta/analysis/path/derivations.hpp"
#include "rta/analysis/path/path.hpp"
#include "rta/model/error.hpp"

namespace {

using namespace rta::literals;
using namespace rta::analysis::path;
using rta::Defect;
using rta::Time;
using Row = std::vector<Time>;

Pool one(Order order) { return {"cpu", order, 1, 1, true, false}; }

Node cpu(Time C, std::uint32_t priority = 0) {
  Node node{0, C, C.count(), C.count(), {}};
  node.priority = priority;
  return node;
}

Dag chain(std::vector<Node> nodes, Time T, Time J = {}) {
  Dag dag{"chain", T, {}, std::move(nodes), {}};
  for (std::size_t v = 1; v < dag.nodes.size(); ++v) dag.edges.push_back({v - 1, v});
  dag.J = J;
  return dag;
}

std::vector<Row> ends(const System& system) {
  const auto bounds = node_bounds(system, Refinement::T10n);
  REQUIRE(bounds);
  return bounds->F;
}

std::vector<Row> late(const System& system) {
  const auto bounds = node_bounds(system, Refinement::T10g);
  REQUIRE(bounds);
  return bounds->F;
}

}  // namespace

TEST_CASE("T12: FIFO, (2, T = 10, J = 6) and a DAG of 3 before 1 with T = 30") {
  // The first: 2 own jobs, as ceil((-10 + 8 + 6)/10) = 1 earlier one may come so close: 4 + 3 + 1 = 8. The other: 3 + 2 ceil((8 + 6)/10) =
  // 7, and behind it ready by 7: 4 + 2 ceil((8 + 7 + 6)/10) = 10.
  CHECK(ends({{one(Order::fifo)}, {chain({cpu(2_ns)}, 10_ns, 6_ns), chain({cpu(3_ns), cpu(1_ns)}, 30_ns)}}) ==
        std::vector{Row{8_ns}, Row{7_ns, 10_ns}});
  // Without jitter: 2 + 3 + 1 = 6; 3 + 2 = 5, and behind it, ready by 5, 4 + 2 ceil((6 + 5)/10) = 8.
  CHECK(ends({{one(Order::fifo)}, {chain({cpu(2_ns)}, 10_ns), chain({cpu(3_ns), cpu(1_ns)}, 30_ns)}}) ==
        std::vector{Row{6_ns}, Row{5_ns, 8_ns}});
}

TEST_CASE("T12: fixed priorities, (2, T = 10, J = 8) above 5 before 2 with T = 40") {
  // 2; 5 + 2 ceil((2 + 9 + 8)/10) = 9; 7 + 2 ceil((2 + 13 + 8)/10) = 13.
  const System system{{one(Order::fixed)}, {chain({cpu(2_ns, 2)}, 10_ns, 8_ns), chain({cpu(5_ns, 1), cpu(2_ns, 1)}, 40_ns)}};
  CHECK(ends(system) == std::vector{Row{2_ns}, Row{9_ns, 13_ns}});
  const auto bounds = node_bounds(system, Refinement::T10v);
  CHECK(bounds->support[1][1] == Support::fixed);
  CHECK(Derivations(system, *bounds).of(1, 1).total == rta::analysis::fine(13_ns));
}

TEST_CASE("T12: one node of 2 with T = 5, J = 12 waits for three of its own") {
  // z = 0: ceil((-5 + 8 + 12)/5) = 3 earlier jobs.
  CHECK(ends({{one(Order::fifo)}, {chain({cpu(2_ns)}, 5_ns, 12_ns)}}) == std::vector<Row>{{8_ns}});
}

TEST_CASE("T12: GEL by DAG, only what was released no later precedes of the own DAG") {
  // (2, T = 10, J = 6, Y = 10) and (3, T = 20, Y = 13): the second precedes where released 3 before or earlier. F_1 = 2 + 3 = 5: own
  // earlier ceil((-10 + 5 + 6)/10) = 1, so 4 + 3 ceil((F_2 - 3)/20) = 7. F_2 = 3 + 2 ceil((7 + 3 + 6)/10) = 7: min(b, 13 - 10) = 3.
  System system{{one(Order::gel)}, {chain({cpu(2_ns)}, 10_ns, 6_ns), chain({cpu(3_ns)}, 20_ns)}};
  system.dags[0].Y = 10_ns;
  system.dags[1].Y = 13_ns;
  CHECK(ends(system) == std::vector{Row{7_ns}, Row{7_ns}});
}

TEST_CASE("Own jobs: the worst nominal instant is not always the release") {
  // F = 4, lim = 7, T = 10, J = 3: z = 0: ceil((-10 + 4 + 3)/10) = 0 and floor(7/10) = 0; z = 3: floor(10/10) = 1.
  CHECK(own_late_jobs(7, 4, 10, 3, false) == 2);
  CHECK(own_late_jobs(7, 4, 10, 3, true) == 1);
  CHECK(own_late_jobs(6, 4, 10, 3, false) == 1);
  // A window that ends before the release holds earlier jobs alone: (r - 20, r - 5], J = 0: that of r - 10; with J = 4 also that of r - 20
  // - ....
  CHECK(own_late_jobs(-5, 20, 10, 0, false) == 1);
  CHECK(own_late_jobs(-5, 20, 10, 4, false) == 2);
  CHECK(late_jobs_in(0, 10, 9) == 0);
  CHECK(late_jobs_in(1, 10, 9) == 1);
  CHECK(late_jobs_in(2, 10, 9) == 2);
}

TEST_CASE("T12 without preemption: what blocks is counted by releases T - J apart") {
  // GEL, (2, T = 10, J = 6, Y = 4) and 5 with T = 40, Y = 40. The first is blocked by 5: 2 + 5, and own earlier ceil((-10 + 9 + 6)/10) =
  // 1: 9. The second: 5 + 2 ceil((9 + min(9, 36) + 6)/10) = 11, where it becomes 5 + 2 ceil((9 + 11 + 6)/10) = 11.
  System system{{one(Order::gel_non_preemptive)}, {chain({cpu(2_ns)}, 10_ns, 6_ns), chain({cpu(5_ns)}, 40_ns)}};
  system.dags[0].Y = 4_ns;
  system.dags[1].Y = 40_ns;
  CHECK(ends(system) == std::vector{Row{9_ns}, Row{11_ns}});
  // T11b: the same by priority.
  const System fixed{{one(Order::fixed_non_preemptive)}, {chain({cpu(2_ns, 2)}, 10_ns, 6_ns), chain({cpu(5_ns, 1)}, 40_ns)}};
  CHECK(ends(fixed) == std::vector{Row{9_ns}, Row{11_ns}});
}

TEST_CASE("T12 knows no slices, T10 no jitter") {
  System system{{one(Order::fifo)}, {chain({cpu(2_ns)}, 10_ns, 6_ns)}};
  CHECK_THROWS_AS((void)bounds(system), Defect);
  system.pools[0].slices = Slices{1_ns, 1_ns};
  CHECK_THROWS_AS((void)node_bounds(system, Refinement::T10n), Defect);
}

TEST_CASE("T12j: FIFO, a node of 2 with T = 5, J = 12") {
  // 2 (1 + 12/5) = 6.8.
  CHECK(late({{one(Order::fifo)}, {chain({cpu(2_ns)}, 5_ns, 12_ns)}}) == std::vector<Row>{{7_ns}});
  // Two nodes of 5 with T = 10 fill one processor: 5 (1 + 4/10) + 5. T12's counts grow without end.
  const System full{{one(Order::fifo)}, {chain({cpu(5_ns)}, 10_ns, 4_ns), chain({cpu(5_ns)}, 10_ns)}};
  CHECK_FALSE(node_bounds(full, Refinement::T10n));
  CHECK(late(full) == std::vector{Row{12_ns}, Row{12_ns}});
}

TEST_CASE("T12j: GEL") {
  // m = 1, (3, T = 8, J = 4, Y = 4) and (4, T = 8, Y = 8), U = 7/8. The first: 3 (1 + 4/8) + 4 (1 - 4/8) = 6.5. The second: 4 + 3 (1 + 4/8
  // + 4/8) = 10.
  System system{{one(Order::gel)}, {chain({cpu(3_ns)}, 8_ns, 4_ns), chain({cpu(4_ns)}, 8_ns)}};
  system.dags[0].Y = 4_ns;
  system.dags[1].Y = 8_ns;
  CHECK(late(system) == std::vector{Row{7_ns}, Row{10_ns}});
}

TEST_CASE("T12j: fixed priorities, (3, T = 5, J = 3) above (4, T = 20)") {
  // The first: from x = 0 on 3, from x = 2 on 6 - 2 = 4: its last job was 3 late. The other: z = 4 + 3 ceil((z + 3)/5) = 16. T12 alone: 3 +
  // 3, and with a job of its own before, 8 + 3 ceil((6 + 35 + 3)/5) = 35.
  const System system{{one(Order::fixed)}, {chain({cpu(3_ns, 2)}, 5_ns, 3_ns), chain({cpu(4_ns, 1)}, 20_ns)}};
  CHECK(late(system) == std::vector{Row{4_ns}, Row{16_ns}});
  CHECK(ends(system) == std::vector{Row{6_ns}, Row{35_ns}});
  const auto bounds = node_bounds(system, Refinement::T10g);
  CHECK(bounds->support[0][0] == Support::late);
  CHECK(Derivations(system, *bounds).by(Support::late, 0, 0)->total == rta::analysis::fine(4_ns));
  CHECK(Derivations(system, *bounds).by(Support::late, 1, 0)->total == rta::analysis::fine(16_ns));
}

TEST_CASE("T12d: two nodes of 1 beside each other, T = 4, J = 2, above 6, on two processors") {
  // h(t) = min(2, 2 t, t + 1). L = 9: n = 2 has c_2 = 9 + 2 - 6, 2 + 2 h(5/2) = 6, and n = 3 c_3 = 1, 4 + 2 h(1/2) = 6: 6 + 6/2. T12: 4
  // jobs by ceil((2 + 10 + 2)/4), 6 + 8/2.
  System system{{one(Order::fixed)}, {chain({cpu(1_ns, 2), cpu(1_ns, 2)}, 4_ns, 2_ns), chain({cpu(6_ns, 1)}, 40_ns)}};
  system.pools[0].capacity = 2;
  system.dags[0].edges.clear();
  const auto bounds = node_bounds(system, Refinement::T10d);
  REQUIRE(bounds);
  CHECK(bounds->F == std::vector{Row{2_ns, 2_ns}, Row{9_ns}});
  CHECK(bounds->support[1][0] == Support::whole);
  CHECK(late(system)[1] == Row{10_ns});
  const auto derivation = Derivations(system, *bounds).by(Support::whole, 1, 0);
  REQUIRE(derivation);
  CHECK(derivation->total == rta::analysis::fine(9_ns));
}

TEST_CASE("T12d: more jitter than a period") {
  // One node of 2 behind a FIFO, T = 5, J = 12, F = L = 8; halves of a ns. D_1 = D_2 = 0, D_3 = 3, D_4 = 8. Four jobs have 2 each: the
  // first may be 3 before the last. Beside one of the DAG itself, three before it and two later count.
  WorkWithin job;
  job.set(2, {}, 1);
  WholeWindow window;
  window.F = window.L = 8;
  window.T = 5;
  window.J = 12;
  window.job = &job;
  CHECK(window.most().work == 16);
  CHECK(window.at_periods() == 20);
}
