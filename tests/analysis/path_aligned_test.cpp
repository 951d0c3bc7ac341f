// T10a and T10v against hand-worked numbers.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "rta/analysis/path/path.hpp"
#include "support/completion_simulation.hpp"

namespace {

using namespace rta::literals;
using namespace rta::analysis::path;
using rta::Time;
using rta::Wide;
using rta::analysis::ceil_to_time;
using rta::test::CompletionSimulation;
using rta::test::SimulatedJob;
using rta::test::SimulatedOrder;
using rta::test::SimulatedPool;

Pool pool(Order order, std::uint32_t m) {
  Pool pool;
  pool.order = order;
  pool.capacity = m;
  return pool;
}

Node node(std::size_t pool, Time e, Wide pieces = 1) {
  Node node;
  node.pool = pool;
  node.e = e;
  node.s = e.count();
  node.vol = node.s * pieces;
  return node;
}

Dag dag(Time T, std::vector<Node> nodes, std::vector<Precedence> edges) {
  Dag dag;
  dag.name = "dag";
  dag.T = T;
  dag.nodes = std::move(nodes);
  dag.edges = std::move(edges);
  return dag;
}

/// The latest end of node `v` of the first job over 16 simulations of jobs that are released together.
std::int64_t latest_end(const std::vector<SimulatedPool>& pools, const std::vector<SimulatedJob>& released, std::size_t v) {
  std::int64_t latest = 0;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<SimulatedJob> jobs = released;
    CompletionSimulation(pools, jobs, random).run();
    latest = std::max(latest, jobs[0].end[v]);
  }
  return latest;
}

}  // namespace

TEST_CASE("T10a: a job that comes late enough to count twice on one pool has left the other") {
  // FIFO pools p and q of one server. k: 1 on p, then 1 on q, T = 100; d: 1 on p, then 3 and 3 on q, T = 10.
  // First nodes: 1 + 1 = 2. d's second: 1 + 3 own (its third comes after it), 1 + 1 of k: 6, and its third: 9. k's second, a = 0 on p, 2 on
  // q. T10n: own 2, ceil(2/10) 1 on p, ceil((6 + 2)/10) 3 and ceil((9 + 2)/10) 3 on q: 2 + 1 + 3 + 6 = 12. Together: jobs of d count on p
  // for 0 <= x < 2, on q for -2 <= x < 6 and 9. At x = -2: 6, and at x = 8 the third node has 1 left until 9: 7. At x = 0: 7. So 9.
  const System system{
      {pool(Order::fifo, 1), pool(Order::fifo, 1)},
      {dag(100_ms, {node(0, 1_ms), node(1, 1_ms)}, {{0, 1}}), dag(10_ms, {node(0, 1_ms), node(1, 3_ms), node(1, 3_ms)}, {{0, 1}, {1, 2}})}};
  CHECK(node_bounds(system, Refinement::T10n)->F == std::vector{std::vector{2_ms, 12_ms}, std::vector{2_ms, 6_ms, 9_ms}});
  const auto bounds = node_bounds(system, Refinement::T10v);
  CHECK(bounds->F == std::vector{std::vector{2_ms, 9_ms}, std::vector{2_ms, 6_ms, 9_ms}});
  CHECK(bounds->support[0] == std::vector{Support::path, Support::aligned});

  const AlignedDerivation derivation = Derivations(system, *bounds).aligned(0, 1, false);
  CHECK(derivation.path == std::vector<std::size_t>{0, 1});
  CHECK(derivation.execution == 2_ms);
  CHECK(ceil_to_time(derivation.last_pieces) == 2_ms);
  CHECK(ceil_to_time(derivation.own) == 2_ms);
  CHECK_FALSE(derivation.before);
  CHECK(ceil_to_time(derivation.total) == 9_ms);
  REQUIRE(derivation.others.size() == 1);
  REQUIRE(derivation.others[0].jobs.size() == 1);
  CHECK(derivation.others[0].jobs[0].before == 0_ms);
  CHECK(ceil_to_time(derivation.others[0].work) == 7_ms);
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

  const AlignedDerivation derivation = Derivations(system, *bounds).aligned(0, 1, true);
  CHECK(derivation.path == std::vector<std::size_t>{0, 1});
  CHECK(derivation.before == 12_ms);
  CHECK(ceil_to_time(derivation.total) == 18_ms);
  REQUIRE(derivation.others.size() == 1);
  REQUIRE(derivation.others[0].jobs.size() == 1);
  CHECK(derivation.others[0].jobs[0].before == 0_ms);
  CHECK(ceil_to_time(derivation.others[0].jobs[0].saved) == 2_ms);
  CHECK(ceil_to_time(derivation.others[0].jobs[0].work) == 5_ms);
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
  // - 0.05 + own 5 + 0.05 + d 10 + 820/40 = 42.5. Without GC, (10 - 0)/2 = 5 would be lost: 37.5.
  const System system{{pool(Order::gel, 2), pool(Order::fifo, 40)},
                      {dag(Time(1000), {node(0, Time(10)), node(1, Time(2))}, {{0, 1}}),
                       dag(Time(1000), {node(0, Time(10)), node(0, Time(10)), node(1, Time(20)), node(1, Time(10), 80)}, {{2, 3}})}};
  CHECK(node_bounds(system, Refinement::T10v)->F[0][1] == Time(43));
  std::vector<SimulatedJob> jobs(2);
  jobs[0].priority_point = 1;  // d first, as ties allow
  jobs[0].nodes = {{0, {10}, 1, {}}, {1, {2}, 1, {0}}};
  jobs[1].nodes = {{0, {10}, 1, {}}, {0, {10}, 1, {}}, {1, {20}, 1, {}}, {1, std::vector<std::int64_t>(80, 10), 1, {2}}};
  CHECK(latest_end({{SimulatedOrder::gel, 2, 1}, {SimulatedOrder::fifo, 40, 1}}, jobs, 1) == 42);
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
}
