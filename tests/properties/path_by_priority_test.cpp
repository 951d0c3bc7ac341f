// Laws of T11 and T11b over random systems, against an exact simulation and the theorem by the letter.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/path_laws.hpp"

namespace {

using namespace rta::test;
using rta::Time;
using rta::analysis::path::Dag;
using rta::analysis::path::Node;
using rta::analysis::path::node_bounds;
using rta::analysis::path::Order;
using rta::analysis::path::Refinement;

Node cpu(std::int64_t units, std::uint32_t priority, std::size_t pool = 0) {
  Node node{pool, Time(units * grid), units * grid, units * grid, {}};
  node.priority = priority;
  return node;
}

RandomPathSystem on_one_processor(Order order, SimulatedOrder simulated, bool equals_any, std::vector<Dag> dags) {
  RandomPathSystem s;
  s.system.pools = {{"fixed", order, 1, 1, true, equals_any}, {"elsewhere", Order::fifo, 1, 1, true}};
  s.pools = {{simulated, 1, 1, equals_any}, {SimulatedOrder::fifo, 1, 1}};
  for (const Dag& dag : dags) s.pieces.emplace_back(dag.nodes.size());
  s.system.dags = std::move(dags);
  return s;
}

/// What a search over 400 runs sees of one node.
std::int64_t latest_end(const RandomPathSystem& s, std::size_t d, std::size_t v) {
  std::int64_t latest = 0;
  RandomPaths random(1);
  for (int run = 0; run < 400; ++run) latest = std::max(latest, random.run(s)[d][v]);
  return latest;
}

}  // namespace

TEST_CASE("Fixed priorities: 2,000 random systems with bounds never exceed them, and broken formulas are caught") {
  PathLawCounts counts;
  for (std::uint64_t seed = 1; counts.bounded < 2000; ++seed) check_laws_by_priority(seed, 8, counts);
  CHECK(counts.reached > 100);
  for (const Mutant mutant : T11_mutants) {
    CAPTURE(static_cast<int>(mutant));
    CHECK(counts.caught[static_cast<std::size_t>(mutant)] > 0);
  }
  CHECK(counts.caught[static_cast<std::size_t>(Mutant::none)] == 0);
}

TEST_CASE("T11b: less urgent pieces of the node's own DAG block too") {
  // q (1, urgent) follows s (1, elsewhere); a (4, less urgent) has started when q is ready: q ends by 1 + 4 + 1 = 6, and 5 occurs. Without
  // own pieces: 2.
  const Dag dag{"d", Time(40 * grid), {}, {cpu(1, 0, 1), cpu(1, 2), cpu(4, 1)}, {{0, 1}}};
  const auto s = on_one_processor(Order::fixed_non_preemptive, SimulatedOrder::fixed_non_preemptive, false, {dag});
  CHECK(node_bounds(s.system, Refinement::T10n)->F[0][1] == Time(6 * grid));
  const auto broken = PathOracle(s.system, Mutant::no_own_pieces).nodes(1000 * grid);
  REQUIRE(broken);
  CHECK((*broken)[0][1] == 2 * grid);
  CHECK(latest_end(s, 0, 1) == 5 * grid);
}

TEST_CASE("T11: where equals run in any order, what comes after a node is ready counts until it ends") {
  // x (1, T = 8), y (7, T = 40) and z (0, T = 40) have one priority. With A_q = 0 in place of F_q each counts once: F_x = F_y = F_z = 8.
  // But when y ends at 8, the next job of x may go before z, which was ready at 0: 9.
  const auto s = on_one_processor(Order::fixed, SimulatedOrder::fixed, true,
                                  {{"x", Time(8 * grid), {}, {cpu(1, 1)}, {}},
                                   {"y", Time(40 * grid), {}, {cpu(7, 1)}, {}},
                                   {"z", Time(40 * grid), {}, {cpu(0, 1)}, {}}});
  const auto broken = PathOracle(s.system, Mutant::ready_for_equals).nodes(1000 * grid);
  REQUIRE(broken);
  CHECK((*broken)[2][0] == 8 * grid);
  // F_x = 1 + 7 + one job of its own before and one after, F_y = 7 + ceil((10 + 10)/8), F_z = 7 + ceil((10 + 10)/8).
  CHECK(node_bounds(s.system, Refinement::T10n)->R == std::vector(3, Time(10 * grid)));
  CHECK(latest_end(s, 2, 0) == 9 * grid);
}
