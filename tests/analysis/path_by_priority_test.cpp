// T11 and T11b against hand-worked numbers: whole DAGs with pools under fixed priorities.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "analysis/explain/reason_words.hpp"
#include "rta/analysis/path/derivations.hpp"
#include "rta/analysis/path/path.hpp"
#include "rta/model/error.hpp"
#include "support/inequality_laws.hpp"

namespace {

using namespace rta::literals;
using namespace rta::analysis::path;
using rta::Defect;
using rta::Time;
using rta::analysis::ceil_to_time;
using Row = std::vector<Time>;
using rta::test::sum_of;

Pool fixed(std::uint32_t m, Order order = Order::fixed, bool equals_any = false) { return {"cpu", order, m, 1, true, equals_any}; }
Pool elsewhere() { return {"elsewhere", Order::fifo, 1, 1, true}; }

Node cpu(Time C, std::uint32_t priority, std::size_t pool = 0) {
  Node node{pool, C, C.count(), C.count(), {}};
  node.priority = priority;
  return node;
}

Dag chain(std::vector<Node> nodes, Time T) {
  Dag dag{"chain", T, {}, std::move(nodes), {}};
  for (std::size_t v = 1; v < dag.nodes.size(); ++v) dag.edges.push_back({v - 1, v});
  return dag;
}

Dag one_two_three(std::uint32_t priority) { return chain({cpu(1_ms, priority), cpu(2_ms, priority), cpu(3_ms, priority)}, 20_ms); }

}  // namespace

TEST_CASE("T11: of two chains of 1, 2, 3 ms on two processors the more urgent one takes its own 6 ms, the other one 9 ms") {
  // The first: 1/2 + (1)/2, 3/2 + (1 + 2)/2, 6/2 + (6)/2, as nothing less urgent counts. The second: all 6 ms of the first beside its own,
  // once, as F_u + lim_u = F_u + F_q <= 15 < T: 1/2 + (6 + 1)/2 = 4, 3/2 + (6 + 3)/2 = 6, 3 + 12/2 = 9.
  const System system{{fixed(2)}, {one_two_three(2), one_two_three(1)}};
  const auto bounds = node_bounds(system, Refinement::T10n);
  REQUIRE(bounds);
  CHECK(bounds->F == std::vector{Row{1_ms, 3_ms, 6_ms}, Row{4_ms, 6_ms, 9_ms}});
  CHECK(bounds->support[1] == std::vector(3, Support::fixed));
}

TEST_CASE("T11: single nodes on one processor, 2 and 6 ms, and 1, 3, 13 ms") {
  // (2, 10) above (4, 20): 2; 4 + ceil((2 + 6)/10) 2 = 6.
  const System two{{fixed(1)}, {chain({cpu(2_ms, 2)}, 10_ms), chain({cpu(4_ms, 1)}, 20_ms)}};
  CHECK(node_bounds(two, Refinement::T10n)->R == Row{2_ms, 6_ms});
  // (1, 4), (2, 6), (3, 13): F_2 = 2 + ceil((1 + 3)/4) = 3; F_3 = 3 + ceil((1 + 13)/4) + 2 ceil((3 + 13)/6) = 3 + 4 + 6.
  const System three{{fixed(1)}, {chain({cpu(1_ms, 3)}, 4_ms), chain({cpu(2_ms, 2)}, 6_ms), chain({cpu(3_ms, 1)}, 13_ms)}};
  CHECK(node_bounds(three, Refinement::T10n)->R == Row{1_ms, 3_ms, 13_ms});
}

TEST_CASE("T11: priorities within a DAG; a later job of the DAG's own counts once it is released before the end") {
  // 3 (urgent) on the processor, 2 elsewhere, 2 (less urgent) on the processor, m = 1. Last node: 2 elsewhere, its own job's 3 + 2, and
  // floor(F_3/T) more of the first node, whose lim is F_3. T = 9: 7.
  const auto of_period = [](Time T) { return System{{fixed(1), elsewhere()}, {chain({cpu(3_ms, 2), cpu(2_ms, 0, 1), cpu(2_ms, 1)}, T)}}; };
  CHECK(node_bounds(of_period(9_ms), Refinement::T10n)->F[0] == Row{3_ms, 5_ms, 7_ms});
  // T = 7: floor(7/7) = 1, so 2 + 5 + 3 = 10; then the last node's own earlier job counts too, ceil(10/7) - 1 = 1: 12, and floor(12/7) = 1.
  CHECK(node_bounds(of_period(7_ms), Refinement::T10n)->F[0] == Row{3_ms, 5_ms, 12_ms});
}

TEST_CASE("T11b: a node that waits may find less urgent ones started, each node of the path again") {
  // m = 1: 1 (urgent), 2 elsewhere, 1, T = 30; a stranger of 5, less urgent, T = 40. Blk = 5 for both nodes: 5 + 1 = 6, 8, 5 + 5 + 4 = 14.
  // The stranger: 5 + 1 + 1, once each as 14 + 7 <= 30.
  const System system{{fixed(1, Order::fixed_non_preemptive), elsewhere()},
                      {chain({cpu(1_ms, 2), cpu(2_ms, 0, 1), cpu(1_ms, 2)}, 30_ms), chain({cpu(5_ms, 1)}, 40_ms)}};
  const auto bounds = node_bounds(system, Refinement::T10n);
  REQUIRE(bounds);
  CHECK(bounds->F == std::vector{Row{6_ms, 8_ms, 14_ms}, Row{7_ms}});
  const auto last = Derivations(system, *bounds).of(0, 2);
  const auto sum = sum_of<CountedSum>(last);
  REQUIRE(sum.waits.size() == 2);
  CHECK(ceil_to_time(sum.waits[0].blocking) == 10_ms);
  CHECK(ceil_to_time(last.total) == 14_ms);
  CHECK_FALSE(Derivations(system, *bounds).by(Support::late, 0, 2));
}

TEST_CASE("T11b: of the node's own DAG only parallel nodes block") {
  // m = 1, T = 100: a (3 ms, less urgent) before b (1 ms, urgent), and c (4 ms, less urgent) beside them. b: A = 3 + 4, as c may go first;
  // while b waits, c may have started: 4. The path a, b pays for a, b, c: 3 + 1 + 4, and Blk_b = 4: 12. a's only ancestors are none: 7.
  Dag dag = chain({cpu(3_ms, 1), cpu(1_ms, 2), cpu(4_ms, 1)}, 100_ms);
  dag.edges.pop_back();
  const System system{{fixed(1, Order::fixed_non_preemptive)}, {dag}};
  // c: 4 + 3 + 1 (b is more urgent and parallel) = 8.
  CHECK(node_bounds(system, Refinement::T10n)->F[0] == Row{7_ms, 12_ms, 8_ms});
}

TEST_CASE("T11: equals by ready time let in what was ready no later, equals in any order what comes before the end") {
  // (2, 9) and (3, 9) on one processor. By ready time: 5 and 5. In any order n = ceil((F_1 + F_2)/9) = 2: 2 + 6 = 8 and 3 + 4 = 7.
  const auto with = [](bool any) {
    return System{{fixed(1, Order::fixed, any)}, {chain({cpu(2_ms, 1)}, 9_ms), chain({cpu(3_ms, 1)}, 9_ms)}};
  };
  CHECK(node_bounds(with(false), Refinement::T10n)->R == Row{5_ms, 5_ms});
  CHECK(node_bounds(with(true), Refinement::T10n)->R == Row{8_ms, 7_ms});
}

TEST_CASE("T11: a path pays for what is as urgent as its own nodes, not for what other ancestors wait for") {
  // v (1 ms, priority 5) after a (1 ms, priority 1), both on the processor, and after b (4 ms) elsewhere; a stranger of 2 ms has
  // priority 3. By a: 2 + a's waiting for the stranger 2 = 4. By b: 4 + 1 = 5, since while v waits only v's own equals run. Both
  // together: 8.
  Dag dag{"d", 100_ms, {}, {cpu(1_ms, 1), cpu(4_ms, 0, 1), cpu(1_ms, 5)}, {{0, 2}, {1, 2}}};
  const System system{{fixed(1), elsewhere()}, {dag, chain({cpu(2_ms, 3)}, 100_ms)}};
  const auto bounds = node_bounds(system, Refinement::T10n);
  REQUIRE(bounds);
  // a: 1 + 2 + the parallel... v follows a, so a waits for the stranger alone.
  CHECK(bounds->F[0] == Row{3_ms, 4_ms, 5_ms});
  const auto derivation = Derivations(system, *bounds).of(0, 2);
  const auto sum = sum_of<CountedSum>(derivation);
  CHECK(derivation.path == std::vector<std::size_t>{1, 2});
  REQUIRE(sum.waits.size() == 2);
  CHECK(sum.waits[0].jobs.size() == 1);  // v's own
  CHECK(ceil_to_time(derivation.total) == 5_ms);
}

TEST_CASE("T11 has no solution at full load; T10 has nothing to say of fixed priorities") {
  const System full{{fixed(1)}, {chain({cpu(2_ms, 2)}, 4_ms), chain({cpu(4_ms, 1)}, 8_ms)}};
  CHECK_FALSE(node_bounds(full, Refinement::T10v));  // T11j has one: path_urgent_test.cpp
  CHECK_THROWS_AS((void)bounds(full), Defect);
  const System over{{fixed(1)}, {chain({cpu(2_ms, 2)}, 4_ms), chain({cpu(5_ms, 1)}, 8_ms)}};
  const auto none = node_bounds(over, Refinement::T10n);
  REQUIRE_FALSE(none);
  CHECK(rta::analysis::in_words(none.reason()).find("cpu") != std::string::npos);
}

TEST_CASE("T11 beside T10a: other pools count one release pattern, the pool under fixed priorities as before") {
  // The example of T10a's turns with a node of 1 ms under fixed priorities before it: no pattern saves anything there.
  const System system{{fixed(1), {"p", Order::fifo, 1, 1, true}, {"q", Order::fifo, 1, 1, true}},
                      {chain({cpu(1_ms, 1, 1), cpu(1_ms, 1, 2), cpu(1_ms, 1)}, 100_ms),
                       chain({cpu(1_ms, 0, 1), cpu(3_ms, 0, 2), cpu(3_ms, 0, 2)}, 10_ms), chain({cpu(2_ms, 2)}, 50_ms)}};
  const auto plain = node_bounds(system, Refinement::T10n);
  const auto aligned = node_bounds(system, Refinement::T10v);
  REQUIRE(plain);
  REQUIRE(aligned);
  CHECK(plain->F[0] == Row{2_ms, 12_ms, 15_ms});  // 12 + 1 + 2
  CHECK(aligned->F[0] == Row{2_ms, 6_ms, 9_ms});  // 6 + 1 + 2
  CHECK(aligned->support[0] == std::vector{Support::path, Support::aligned, Support::aligned});
  const auto last = Derivations(system, *aligned).by(Support::aligned, 0, 2);
  REQUIRE(last);
  CHECK(ceil_to_time(last->total) == 9_ms);
}
