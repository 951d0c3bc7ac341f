// T11j against hand-worked numbers: nodes under fixed priorities as sporadic tasks with jitter.
#include <doctest/doctest.h>

#include <vector>

#include "rta/analysis/path/derivations.hpp"
#include "rta/analysis/path/path.hpp"
#include "support/inequality_laws.hpp"

namespace {

using namespace rta::literals;
using namespace rta::analysis::path;
using rta::Time;
using rta::analysis::ceil_to_time;
using Row = std::vector<Time>;
using rta::test::sum_of;

Pool fixed(std::uint32_t m, bool equals_any = false) { return {"cpu", Order::fixed, m, 1, true, equals_any}; }
Pool elsewhere(const char* name = "elsewhere") { return {name, Order::fifo, 1, 1, true}; }

Node cpu(Time C, std::uint32_t priority, std::size_t pool = 0) {
  Node node{pool, C, C.count(), C.count(), {}};
  node.priority = priority;
  return node;
}

Dag single(Time C, std::uint32_t priority, Time T) { return {"single", T, {}, {cpu(C, priority)}, {}}; }

Row R(const System& system) {
  const auto bounds = node_bounds(system, Refinement::T10g);
  return bounds ? bounds->R : Row{};
}

}  // namespace

TEST_CASE("T11j: single nodes on one processor get the response times of the textbook") {
  // (3, 8) above (4, 20): 4 + ceil(7/8) 3 = 7, where T11 counts ceil((3 + 10)/8) = 2 jobs: 10.
  const System two{{fixed(1)}, {single(3_ms, 2, 8_ms), single(4_ms, 1, 20_ms)}};
  CHECK(R(two) == Row{3_ms, 7_ms});
  CHECK(node_bounds(two, Refinement::T10v)->R == Row{3_ms, 10_ms});
  const auto bounds = node_bounds(two, Refinement::T10g);
  CHECK(bounds->support[1][0] == Support::late);
  const auto late = Derivations(two, *bounds).by(Support::late, 1, 0);
  const auto sum = sum_of<SporadicSum>(late);
  REQUIRE(sum.busy);
  CHECK(sum.busy->before == 0_ms);
  REQUIRE(sum.busy->jobs.size() == 2);
  CHECK(sum.busy->jobs[0].most == 1);
  CHECK(sum.busy->jobs[1].most == 1);
  CHECK(ceil_to_time(late->total) == 7_ms);
  CHECK(ceil_to_time(sum.work) == 3_ms);
  // (1, 4), (2, 6), (3, 13): 3 + ceil(10/4) + 2 ceil(10/6) = 3 + 3 + 4 = 10.
  const System three{{fixed(1)}, {single(1_ms, 3, 4_ms), single(2_ms, 2, 6_ms), single(3_ms, 1, 13_ms)}};
  CHECK(R(three) == Row{1_ms, 3_ms, 10_ms});
}

TEST_CASE("T11j: a later job of the node itself may be the worst one") {
  // Lehoczky's example, (26, 70) above (62, 100): 62 + 2 x 26 = 114, and the busy period goes on; the second job ends at 2 x 62 + 3 x 26 =
  // 202, 102 after its release, the third at 3 x 62 + 5 x 26 = 316, 116 after, the fourth at 4 x 62 + 6 x 26 = 404: 104, the fifth at
  // 5 x 62 + 8 x 26 = 518: 118.
  const System system{{fixed(1)}, {single(26_ms, 2, 70_ms), single(62_ms, 1, 100_ms)}};
  CHECK(R(system) == Row{26_ms, 118_ms});
  const auto bounds = node_bounds(system, Refinement::T10g);
  CHECK(sum_of<SporadicSum>(Derivations(system, *bounds).by(Support::late, 1, 0)).busy->before == 400_ms);
}

TEST_CASE("T11j: bounds up to full load") {
  // (2, 4) above (4, 8), U = 1: 4 + ceil(8/4) 2 = 8; T11 has no solution.
  const System one{{fixed(1)}, {single(2_ms, 2, 4_ms), single(4_ms, 1, 8_ms)}};
  CHECK_FALSE(node_bounds(one, Refinement::T10v));
  CHECK(R(one) == Row{2_ms, 8_ms});
  // The same twice on two processors. The urgent ones: 1/2 (2 + 2) + 2/2 = 3, or by T11 2 + (2 n)/2 with n = ceil(2 x 3/4) = 2: 4; so with
  // one more processor than they need, ceil(1) - 1 = 0 pieces are left from before. The others: U = 2, carry 4; the rest of the capacity is
  // 2 - 1: 4 + (2 + 2 + 4 + 4) + 4 = 20.
  const System two{{fixed(2)}, {single(2_ms, 2, 4_ms), single(2_ms, 2, 4_ms), single(4_ms, 1, 8_ms), single(4_ms, 1, 8_ms)}};
  CHECK(R(two) == Row{3_ms, 3_ms, 20_ms, 20_ms});
  const auto bounds = node_bounds(two, Refinement::T10g);
  const auto late = Derivations(two, *bounds).by(Support::late, 2, 0);
  const auto sum = sum_of<SporadicSum>(late);
  CHECK_FALSE(sum.busy);
  CHECK(ceil_to_time(sum.carry) == 4_ms);
  CHECK(ceil_to_time(sum.work) == 12_ms);
  CHECK(ceil_to_time(sum.own) == 4_ms);
  CHECK(ceil_to_time(late->total) == 20_ms);
  const System over{{fixed(1)}, {single(2_ms, 2, 4_ms), single(5_ms, 1, 8_ms)}};
  CHECK_FALSE(node_bounds(over, Refinement::T10g));
}

TEST_CASE("T11j: ready times differ from release to release") {
  // high: 3 ms elsewhere, then 2 ms on the processor, T = 10: ready within [0, 3], so 2 of its jobs may be ready within 8 ms. low: 6 ms,
  // T = 40: 6 + ceil((8 + 3)/10) 2 = 10, ceil((10 + 3)/10) = 2: 10. high's second node ends by 3 + 2 = 5. Without jitter low would get 8.
  const System system{{fixed(1), elsewhere()}, {{"high", 10_ms, {}, {cpu(3_ms, 0, 1), cpu(2_ms, 2)}, {{0, 1}}}, single(6_ms, 1, 40_ms)}};
  CHECK(node_bounds(system, Refinement::T10g)->F == std::vector{Row{3_ms, 5_ms}, Row{10_ms}});
}

TEST_CASE("T11j: equals by ready time are counted from the start of the busy interval, in any order until the end") {
  // (2, 9) and (3, 9), one priority: 5 and 5. In any order y >= ceil(y/9) (2 + 3): 5 and 5, where T11 has 8 and 7.
  CHECK(R({{fixed(1)}, {single(2_ms, 1, 9_ms), single(3_ms, 1, 9_ms)}}) == Row{5_ms, 5_ms});
  CHECK(R({{fixed(1, true)}, {single(2_ms, 1, 9_ms), single(3_ms, 1, 9_ms)}}) == Row{5_ms, 5_ms});
  // (2, 4) and (4, 9), U = 17/18. By ready time: 6 ms for both, at x = 0; 4 ms later 2 more are ready: 8 - 4, at x = 8: 10 - 8.
  CHECK(R({{fixed(1)}, {single(2_ms, 1, 4_ms), single(4_ms, 1, 9_ms)}}) == Row{6_ms, 6_ms});
  // In any order, whatever is ready before the end: 2 x 2 + 4 = 8.
  CHECK(R({{fixed(1, true)}, {single(2_ms, 1, 4_ms), single(4_ms, 1, 9_ms)}}) == Row{8_ms, 8_ms});
}

TEST_CASE("T11j: a node of no length waits for what is urgent and for what came before it") {
  // (2, 5) above a node of 0 ms, T = 50, beside an equal of 1 ms, T = 50: as a node of 1 ns, 2 + 1 ms and 1 ns. T11: 2 n + 1 with
  // n = ceil((2 + 3)/5) = 1: 3 ms.
  const System system{{fixed(1)}, {single(2_ms, 2, 5_ms), single(0_ms, 1, 50_ms), single(1_ms, 1, 50_ms)}};
  CHECK(R(system) == Row{2_ms, 3_ms, 3_ms});
}

TEST_CASE("T11j is not for pools without preemption") {
  const System system{{{"cpu", Order::fixed_non_preemptive, 1, 1, true}}, {single(2_ms, 2, 4_ms), single(4_ms, 1, 8_ms)}};
  CHECK_FALSE(node_bounds(system, Refinement::T10g));
}
