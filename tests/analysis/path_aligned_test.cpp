// T10a and T10v against hand-worked numbers.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "rta/analysis/path/derivations.hpp"
#include "rta/analysis/path/path.hpp"
#include "support/aligned_oracle.hpp"
#include "support/completion_simulation.hpp"
#include "support/inequality_laws.hpp"
#include "support/path_systems.hpp"

namespace {

using namespace rta::literals;
using namespace rta::analysis::path;
using rta::Time;
using rta::Wide;
using rta::analysis::ceil_to_time;
using rta::test::AlignedMutant;
using rta::test::AlignedOracle;
using rta::test::CompletionSimulation;
using rta::test::dag;
using rta::test::pool;
using rta::test::SimulatedJob;
using rta::test::SimulatedOrder;
using rta::test::SimulatedPool;
using rta::test::sum_of;

Node node(std::size_t pool, Time e, Wide pieces = 1) {
  Node node = rta::test::node(pool, e);
  node.vol = node.s * pieces;
  return node;
}

/// What a broken theorem would promise for node 1 of the first DAG.
std::int64_t broken_bound(const System& system, AlignedMutant mutant) { return (*AlignedOracle(system, mutant, 1).nodes(1'000'000))[0][1]; }

/// The latest end of node `v` of the first job over 512 simulations of jobs that are released together.
std::int64_t latest_end(const std::vector<SimulatedPool>& pools, const std::vector<SimulatedJob>& released, std::size_t v) {
  std::int64_t latest = 0;
  for (std::uint64_t seed = 0; seed < 512; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<SimulatedJob> jobs = released;
    CompletionSimulation(pools, jobs, random).run();
    latest = std::max(latest, jobs[0].end[v]);
  }
  return latest;
}

}  // namespace

TEST_CASE("T10a: a job that comes late enough to count twice on one pool has left the other") {
  // FIFO pools p and q of one server. k: 1 on p, then 1 on q, T = 100; d: 1 on p, then two nodes of 3 on q, beside each other, T = 10.
  // First nodes: 1 + 1 = 2. d's others: 1 + 6 own, 1 + 1 of k: 9. k's second, a = 0 on p, 2 on q. T10n: own 2, ceil(2/10) 1 on p,
  // ceil((9 + 2)/10) (3 + 3) on q: 2 + 1 + 12 = 15. Together: jobs of d count on p for 0 <= x < 2, on q for -2 <= x < 9. At x = -2: 6, and
  // at x = 8 each node has 1 left until 9: 8. At x = 0: 7. So 10. But one job's two nodes are all that it waits for on q (T30): with x = 0
  // on p, 2 + 1 + 6 = 9.
  const System system{
      {pool(Order::fifo, 1), pool(Order::fifo, 1)},
      {dag(100_ms, {node(0, 1_ms), node(1, 1_ms)}, {{0, 1}}), dag(10_ms, {node(0, 1_ms), node(1, 3_ms), node(1, 3_ms)}, {{0, 1}, {0, 2}})}};
  CHECK(node_bounds(system, Refinement::T10n)->F == std::vector{std::vector{2_ms, 15_ms}, std::vector{2_ms, 9_ms, 9_ms}});
  const auto bounds = node_bounds(system, Refinement::T10v);
  CHECK(bounds->F == std::vector{std::vector{2_ms, 9_ms}, std::vector{2_ms, 9_ms, 9_ms}});
  CHECK(bounds->support[0] == std::vector{Support::path, Support::aligned});

  const auto derivation = Derivations(system, *bounds).by(Support::aligned, 0, 1);
  const auto sum = sum_of<AlignedSum>(derivation);
  CHECK(derivation->path == std::vector<std::size_t>{0, 1});
  CHECK(sum.execution == 2_ms);
  CHECK(ceil_to_time(sum.last_pieces) == 2_ms);
  CHECK(ceil_to_time(sum.own) == 2_ms);
  CHECK_FALSE(sum.before);
  CHECK(ceil_to_time(derivation->total) == 9_ms);
  REQUIRE(sum.others.size() == 1);
  REQUIRE(sum.others[0].jobs.size() == 1);
  CHECK(sum.others[0].jobs[0].before == Time(0));
  CHECK(ceil_to_time(sum.others[0].jobs[0].work) == 1_ms);
  REQUIRE(sum.others[0].together.size() == 1);
  CHECK(ceil_to_time(sum.others[0].together[0].work) == 6_ms);
  CHECK(ceil_to_time(sum.others[0].work) == 7_ms);
}

TEST_CASE("T10a: a path waits on a FIFO pool for as many nodes of a chain as it has there") {
  // As above with d's nodes on q one after the other: they end by 1 + 3 + 2 = 6 and 9. At x = -2: 3 alone, at x = 8 1 of the last: 4. At x
  // = 0: 1 + 3. So 2 + 4 = 6. d's second node has none of its third's work before it anyway. T10n: 2 + 1 + 3 + 6 = 12.
  const System system{
      {pool(Order::fifo, 1), pool(Order::fifo, 1)},
      {dag(100_ms, {node(0, 1_ms), node(1, 1_ms)}, {{0, 1}}), dag(10_ms, {node(0, 1_ms), node(1, 3_ms), node(1, 3_ms)}, {{0, 1}, {1, 2}})}};
  CHECK(node_bounds(system, Refinement::T10n)->F == std::vector{std::vector{2_ms, 12_ms}, std::vector{2_ms, 6_ms, 9_ms}});
  CHECK(node_bounds(system, Refinement::T10v)->F == std::vector{std::vector{2_ms, 6_ms}, std::vector{2_ms, 6_ms, 9_ms}});
}

TEST_CASE("T10a: with two nodes on a FIFO pool a path may wait for two of a chain") {
  // One server p, another q. k: 1 on p, 1 on q, 1 on p; d: 3 on p, then 3 on p, T = 100. d first: k's first ends at 4, d's second is ready
  // at 3, before k's: it runs from 4 to 7, k's last is ready at 5: 8. Of d both count: 1 + 1 + 1 + 6 = 9. One turn alone, of each job,
  // would give 1 + 1 + 3 = 5.
  const System system{{pool(Order::fifo, 1), pool(Order::fifo, 1)},
                      {dag(Time(100), {node(0, Time(1)), node(1, Time(1)), node(0, Time(1))}, {{0, 1}, {1, 2}}),
                       dag(Time(100), {node(0, Time(3)), node(0, Time(3))}, {{0, 1}})}};
  CHECK(node_bounds(system, Refinement::T10v)->F[0][2] == Time(9));
  std::vector<SimulatedJob> jobs(2);
  jobs[0].nodes = {{0, {1}, 1, {}}, {1, {1}, 1, {0}}, {0, {1}, 1, {1}}};
  jobs[1].nodes = {{0, {3}, 1, {}}, {0, {3}, 1, {0}}};
  CHECK(latest_end({{SimulatedOrder::fifo, 1, 1}, {SimulatedOrder::fifo, 1, 1}}, jobs, 2) == 8);
  CHECK((*AlignedOracle(system, AlignedMutant::one_turn, 1).nodes(1'000))[0][2] == 5);
}

TEST_CASE("T30: of all jobs of a DAG that do not overlap a path waits for as many nodes of a chain as it has on a FIFO pool") {
  // One server g, a processor each. A: 1, a1 = 2 on g, 1, a2 = 3 on g; B: b1 = 4 on g, 1, b2 = 1, b3 = 1 on g; T = 20. a1: 1 + 2 + 4 = 7.
  // a2, a = 8: two jobs of B count, with 4 + 1 at x = -8 and the last 1 at x = 12: 7 + 6 = 13 by T10a. Together two of B's nodes: 7 + 5 =
  // 12. b1: 4 + 3, b2: 6 + 3 + 2; b3, a = 11: 7 + 3 + 2, and a2 again from x = 9 on: 15.
  const System system{{pool(Order::fifo, 1), pool(Order::fifo, 1), pool(Order::fifo, 1)},
                      {dag(20_ms, {node(1, 1_ms), node(0, 2_ms), node(1, 1_ms), node(0, 3_ms)}, {{0, 1}, {1, 2}, {2, 3}}),
                       dag(20_ms, {node(0, 4_ms), node(2, 1_ms), node(0, 1_ms), node(0, 1_ms)}, {{0, 1}, {1, 2}, {2, 3}})}};
  const auto bounds = node_bounds(system, Refinement::T10v);
  CHECK(bounds->F == std::vector{std::vector{1_ms, 7_ms, 8_ms, 12_ms}, std::vector{7_ms, 8_ms, 11_ms, 15_ms}});
  const auto derivation = Derivations(system, *bounds).by(Support::aligned, 0, 3);
  const auto sum = sum_of<AlignedSum>(derivation);
  REQUIRE(sum.others.size() == 1);
  REQUIRE(sum.others[0].together.size() == 1);
  CHECK(sum.others[0].jobs.empty());
  CHECK(sum.others[0].together[0].pool == 0);
  CHECK(sum.others[0].together[0].turns == 2);
  CHECK(ceil_to_time(sum.others[0].together[0].work) == 5_ms);
}

TEST_CASE("T30: on one pool all jobs count together, while what they have on another is as one pattern of releases may have it") {
  // Pools p and q of one server. k: 1 on p, 1 on q, T = 100; d: 1 on p, then 3 on q twice, T = 10: as T10a has it, but d ends by 2, 6
  // and 9. k's second, a = 2: at x = -2 and x = 8 d has 3 + 1, at x = 0 1 + 3, so 6 by T10a. Together 3 on q, beside 1 on p: the same.
  const System system{
      {pool(Order::fifo, 1), pool(Order::fifo, 1)},
      {dag(100_ms, {node(0, 1_ms), node(1, 1_ms)}, {{0, 1}}), dag(10_ms, {node(0, 1_ms), node(1, 3_ms), node(1, 3_ms)}, {{0, 1}, {1, 2}})}};
  const auto bounds = node_bounds(system, Refinement::T10v);
  CHECK(bounds->F[0][1] == 6_ms);
  CHECK(sum_of<AlignedSum>(Derivations(system, *bounds).by(Support::aligned, 0, 1)).others[0].together.empty());
}

TEST_CASE("T10v: what other strands have on the queue may keep a strand from running") {
  // Three GEL processors, one FIFO server. k: 120, then 10 on the server. d: a node of 40; 40, then 30 items of 1; 40, then an item of 1,
  // then 89, then 1000 items of 1. All at once, d first: k's node runs from 40 to 160. The 30 items are served from 40 to 70, the single
  // one until 71, its strand's 89 run until 160, and the 1000 items are ahead of k's: 1170.
  // GC = 2: one strand loses (120 - 2)/3 = 39.33, two lose 78.67: 1031 - 78.67 if both are waited for; if the large one alone, the others'
  // 30 may have kept it from running: 1001 + 30 (2 - 1)/3 - 39.33 = 971.67. So 120 - 40 + own 40 + 10 + d 209/3 + 971.67 = 1171.33.
  // Without the 30/3, 1162 would be promised.
  const System system{{pool(Order::gel, 3), pool(Order::fifo, 1)},
                      {dag(Time(100'000), {node(0, Time(120)), node(1, Time(10))}, {{0, 1}}),
                       dag(Time(100'000),
                           {node(0, Time(40)), node(0, Time(40)), node(0, Time(40)), node(1, Time(1), 30), node(1, Time(1)),
                            node(0, Time(89)), node(1, Time(1), 1000)},
                           {{1, 3}, {2, 4}, {4, 5}, {5, 6}})}};
  CHECK(node_bounds(system, Refinement::T10v)->F[0][1] == Time(1172));
  std::vector<SimulatedJob> jobs(2);
  jobs[0].priority_point = 1;  // d first, as ties allow
  jobs[0].nodes = {{0, {120}, 1, {}}, {1, {10}, 1, {0}}};
  jobs[1].nodes = {{0, {40}, 1, {}},
                   {0, {40}, 1, {}},
                   {0, {40}, 1, {}},
                   {1, std::vector<std::int64_t>(30, 1), 1, {1}},
                   {1, {1}, 1, {2}},
                   {0, {89}, 1, {4}},
                   {1, std::vector<std::int64_t>(1000, 1), 1, {5}}};
  CHECK(latest_end({{SimulatedOrder::gel, 3, 1}, {SimulatedOrder::fifo, 1, 1}}, jobs, 1) == 1170);
  CHECK(broken_bound(system, AlignedMutant::no_queue) == 1162);
}

TEST_CASE("T10v: while a path executes, the critical path of an earlier job runs too") {
  // Four GEL processors, one FIFO server. k: 12, then 1 on the server; d: 12, then 4 on it. T = 1000, equal points.
  // First nodes: 12 - 3 + (12 + 12)/4 = 15. k's second by T10n: 9 + own 3 + 1, d 3 + 4: 20. E = 12, d's GC = 4: a job of d from x >= 0 on
  // loses (12 - 4)/4 = 2 of its 4: 3 + 2 = 5, one from x < 0 has 4: 18. d's second: k's GC = 1, (12 - 1)/4 > 1: 9 + own 7 + 3 = 19.
  const System system{{pool(Order::gel, 4), pool(Order::fifo, 1)},
                      {dag(1000_ms, {node(0, 12_ms), node(1, 1_ms)}, {{0, 1}}), dag(1000_ms, {node(0, 12_ms), node(1, 4_ms)}, {{0, 1}})}};
  CHECK(node_bounds(system, Refinement::T10n)->F == std::vector{std::vector{15_ms, 20_ms}, std::vector{15_ms, 20_ms}});
  const auto bounds = node_bounds(system, Refinement::T10v);
  CHECK(bounds->F == std::vector{std::vector{15_ms, 18_ms}, std::vector{15_ms, 19_ms}});
  CHECK(bounds->support[0] == std::vector{Support::path, Support::overlapped});

  const auto derivation = Derivations(system, *bounds).by(Support::overlapped, 0, 1);
  const auto sum = sum_of<AlignedSum>(derivation);
  CHECK(derivation->path == std::vector<std::size_t>{0, 1});
  CHECK(sum.before == 12_ms);
  CHECK(ceil_to_time(derivation->total) == 18_ms);
  REQUIRE(sum.others.size() == 1);
  REQUIRE(sum.others[0].jobs.size() == 1);
  CHECK(sum.others[0].jobs[0].before == 0_ms);
  CHECK(ceil_to_time(sum.others[0].jobs[0].saved) == 2_ms);
  CHECK(ceil_to_time(sum.others[0].jobs[0].work) == 5_ms);
}

TEST_CASE("T10v: at most m - 1 jobs lose work") {
  // As above with two processors and two DAGs like d: first nodes 6 + 3 x 12/2 = 24. k's second: 6 + own 6 + 1, each d 6 + 4. One of them
  // loses (12 - 4)/2 = 4, all that it has: 6 from x >= 0 on, and 4 before; the other keeps 10: 13 + 6 + 10 = 29.
  const Dag other = dag(1000_ms, {node(0, 12_ms), node(1, 4_ms)}, {{0, 1}});
  const System system{{pool(Order::gel, 2), pool(Order::fifo, 1)}, {dag(1000_ms, {node(0, 12_ms), node(1, 1_ms)}, {{0, 1}}), other, other}};
  CHECK(node_bounds(system, Refinement::T10v)->F[0] == std::vector{24_ms, 29_ms});
}

TEST_CASE("T10v needs GC: a kernel that has fully started holds neither a processor nor the queue") {
  // Two GEL processors, 40 FIFO servers. k: 10, then one item of 2. d: two nodes of 10, and an item of 20, then 80 items of 10. All at
  // once, d first: k's node runs from 10 to 20, the 80 items from 20 to 40: 42. GC = 30 > E = 10: nothing is lost, so k ends by 10 - 5 + 2
  // - 0.05 + own 5 + 0.05 + d 10 + 800/40 = 42, as of the chain of items one node counts. Without GC, (10 - 0)/2 = 5 would be lost of 42.5.
  const System system{{pool(Order::gel, 2), pool(Order::fifo, 40)},
                      {dag(Time(1000), {node(0, Time(10)), node(1, Time(2))}, {{0, 1}}),
                       dag(Time(1000), {node(0, Time(10)), node(0, Time(10)), node(1, Time(20)), node(1, Time(10), 80)}, {{2, 3}})}};
  CHECK(node_bounds(system, Refinement::T10v)->F[0][1] == Time(42));
  std::vector<SimulatedJob> jobs(2);
  jobs[0].priority_point = 1;  // d first, as ties allow
  jobs[0].nodes = {{0, {10}, 1, {}}, {1, {2}, 1, {0}}};
  jobs[1].nodes = {{0, {10}, 1, {}}, {0, {10}, 1, {}}, {1, {20}, 1, {}}, {1, std::vector<std::int64_t>(80, 10), 1, {2}}};
  CHECK(latest_end({{SimulatedOrder::gel, 2, 1}, {SimulatedOrder::fifo, 40, 1}}, jobs, 1) == 42);
  CHECK(broken_bound(system, AlignedMutant::no_GC) == 38);
}

TEST_CASE("T10v: what a path executes after its first wait for the queue does not count") {
  // Two GEL processors, one FIFO server. k: 1 on the server, then 10. d: two nodes of 5 on the server, after both two nodes of 5. All at
  // once, d first: k's nodes end at 11, and, as d's run from 10 to 15, at 25. T10v: 10 - 5 + own 5 + 1 + d 5 + 10 = 26. With E = 10 and GC
  // = 5, (10 - 5)/2 = 2.5 would be lost: 23.5.
  const System system{
      {pool(Order::gel, 2), pool(Order::fifo, 1)},
      {dag(Time(1000), {node(1, Time(1)), node(0, Time(10))}, {{0, 1}}),
       dag(Time(1000), {node(1, Time(5)), node(1, Time(5)), node(0, Time(5)), node(0, Time(5))}, {{0, 2}, {1, 2}, {0, 3}, {1, 3}})}};
  CHECK(node_bounds(system, Refinement::T10v)->F[0][1] == Time(26));
  std::vector<SimulatedJob> jobs(2);
  jobs[0].priority_point = 1;  // d first, as ties allow
  jobs[0].nodes = {{1, {1}, 1, {}}, {0, {10}, 1, {0}}};
  jobs[1].nodes = {{1, {5}, 1, {}}, {1, {5}, 1, {}}, {0, {5}, 1, {0, 1}}, {0, {5}, 1, {0, 1}}};
  CHECK(latest_end({{SimulatedOrder::gel, 2, 1}, {SimulatedOrder::fifo, 1, 1}}, jobs, 1) == 25);
  CHECK(broken_bound(system, AlignedMutant::whole_path) == 24);
}

TEST_CASE("T10v: strands of one job run side by side, but not before their root has ended") {
  // Three GEL processors, one FIFO server. k: 12, then 1 on the server. d: three nodes of 4, and a root of 12, then two items of 4. All at
  // once, the nodes of 4 first: k's node and the root run from 4 to 16, then both items are ahead of k's: 25. GC = 4, C_R = 12. One strand
  // loses (12 - 4)/3; a second one would lose (12 - 4 - 12)/3 < 0: 12 - 4 + own 4 + 1 + d 8 + 8 - 8/3 = 26.33. (Released later than k, d
  // has 8.) If the root did not matter, the second one would lose as much as the first: 23.67.
  const Node before = node(0, Time(4));
  const System system{{pool(Order::gel, 3), pool(Order::fifo, 1)},
                      {dag(Time(1000), {node(0, Time(12)), node(1, Time(1))}, {{0, 1}}),
                       dag(Time(1000), {before, before, before, node(0, Time(12)), node(1, Time(4)), node(1, Time(4))}, {{3, 4}, {3, 5}})}};
  CHECK(node_bounds(system, Refinement::T10v)->F[0][1] == Time(27));
  std::vector<SimulatedJob> jobs(2);
  jobs[0].priority_point = 1;  // d first, as ties allow
  jobs[0].nodes = {{0, {12}, 1, {}}, {1, {1}, 1, {0}}};
  jobs[1].nodes = {{0, {4}, 1, {}}, {0, {4}, 1, {}}, {0, {4}, 1, {}}, {0, {12}, 1, {}}, {1, {4}, 1, {3}}, {1, {4}, 1, {3}}};
  CHECK(latest_end({{SimulatedOrder::gel, 3, 1}, {SimulatedOrder::fifo, 1, 1}}, jobs, 1) == 25);
  CHECK(broken_bound(system, AlignedMutant::no_root) == 24);
}

TEST_CASE("T10v: strands without a root each lose what the path executes before") {
  // As above, with a node of 6 for each item in place of the root: both strands lose (12 - 4)/3 of 4: 12 - 4 + own 4 + 1 + d 8 + 8 - 16/3 =
  // 23.67.
  const Node before = node(0, Time(4));
  const System system{{pool(Order::gel, 3), pool(Order::fifo, 1)},
                      {dag(Time(1000), {node(0, Time(12)), node(1, Time(1))}, {{0, 1}}),
                       dag(Time(1000), {before, before, before, node(0, Time(6)), node(0, Time(6)), node(1, Time(4)), node(1, Time(4))},
                           {{3, 5}, {4, 6}})}};
  const auto bounds = node_bounds(system, Refinement::T10v);
  CHECK(bounds->F[0][1] == Time(24));
  const auto derivation = Derivations(system, *bounds).by(Support::overlapped, 0, 1);
  const auto sum = sum_of<AlignedSum>(derivation);
  REQUIRE(sum.others.size() == 1);
  REQUIRE(sum.others[0].overlapped);
  CHECK(sum.others[0].overlapped->jobs == 1);
  CHECK(sum.others[0].overlapped->strands == 2);
  CHECK(sum.others[0].overlapped->GC == Time(4));
  CHECK_FALSE(sum.others[0].overlapped->F_R);
}

TEST_CASE("T10v: no more than m - 1 strands lose work") {
  // Two GEL processors, one FIFO server. k: 12, then 1 on the server. d: two nodes of 12, and three strands of 4, each with 100 items of 1.
  // All at once, the nodes of 12 first, then k: the strands end at 16, 20 and 24, and the server is busy from 16 on: 24 + 300 - 8 + 1 =
  // 317. GC = 1; one strand loses (12 - 1)/2: 12 - 6 + own 6 + 1 + d 18 + 300 - 5.5 = 325.5. If all three lost so much: 314.5.
  const Node items = node(1, Time(1), 100);
  const Node start = node(0, Time(4));
  const Node before = node(0, Time(12));
  const System system{{pool(Order::gel, 2), pool(Order::fifo, 1)},
                      {dag(Time(1000), {node(0, Time(12)), node(1, Time(1))}, {{0, 1}}),
                       dag(Time(1000), {before, before, start, start, start, items, items, items}, {{2, 5}, {3, 6}, {4, 7}})}};
  CHECK(node_bounds(system, Refinement::T10v)->F[0][1] == Time(326));
  const std::vector<std::int64_t> ones(100, 1);
  std::vector<SimulatedJob> jobs(2);
  jobs[0].nodes = {{0, {12}, 1, {}}, {1, {1}, 1, {0}}};
  jobs[1].nodes = {{0, {12}, 1, {}}, {0, {12}, 1, {}},  {0, {4}, 1, {}},   {0, {4}, 1, {}},
                   {0, {4}, 1, {}},  {1, ones, 1, {2}}, {1, ones, 1, {3}}, {1, ones, 1, {4}}};
  CHECK(latest_end({{SimulatedOrder::gel, 2, 1}, {SimulatedOrder::fifo, 1, 1}}, jobs, 1) == 317);
  CHECK(broken_bound(system, AlignedMutant::any_number) == 315);
}

TEST_CASE("Non-preemptive pools: what may have started before is counted once, or blocks once per node") {
  // m = 1. k: 1 on the pool, 2 on another, 1 on the pool, T = 100, Y = 0; d: 5 on the pool, T = 100, Y = 50. d never precedes k, but may
  // have started: Blk = 5 per node. First node: 1 + 5 = 6; second: 6 + 2 = 8. Third, with Blk: 1 + 2 + 1 + 2 x 5 = 14. A job of d that has
  // started before the third node is ready is released in (r - F_d, r + 8], F_d = 5 + 2 = 7: one at most, so 1 + 2 + 1 + 5 = 9.
  Dag d = dag(100_ms, {node(0, 5_ms)}, {});
  d.Y = 50_ms;
  const System system{{pool(Order::gel_non_preemptive, 1), pool(Order::fifo, 1)},
                      {dag(100_ms, {node(0, 1_ms), node(1, 2_ms), node(0, 1_ms)}, {{0, 1}, {1, 2}}), d}};
  CHECK(node_bounds(system, Refinement::T10n)->F[0] == std::vector{6_ms, 8_ms, 14_ms});
  const auto bounds = node_bounds(system, Refinement::T10v);
  CHECK(bounds->F == std::vector{std::vector{6_ms, 8_ms, 9_ms}, std::vector{7_ms}});
  CHECK(bounds->support[0][2] == Support::aligned);
  const auto derivation = Derivations(system, *bounds).by(Support::aligned, 0, 2);
  const auto sum = sum_of<AlignedSum>(derivation);
  CHECK(sum.started);
  CHECK(sum.blocking == rta::analysis::FineTime());
  CHECK(ceil_to_time(derivation->total) == 9_ms);
}
