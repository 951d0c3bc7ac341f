// T12 against hand-worked numbers.
#include "analysis/path/path_release_jitter.hpp"

#include <doctest/doctest.h>

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

TEST_CASE("T12 knows no non-preemptive pools, T10 no jitter") {
  const System system{{one(Order::gel_non_preemptive)}, {chain({cpu(2_ns)}, 10_ns, 6_ns)}};
  CHECK_THROWS_AS((void)node_bounds(system, Refinement::T10n), Defect);
  CHECK_THROWS_AS((void)bounds({{one(Order::fifo)}, {chain({cpu(2_ns)}, 10_ns, 6_ns)}}), Defect);
}
