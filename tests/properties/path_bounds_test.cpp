// Laws of T10, T10n and T10j over random systems, against an exact simulation and the theorem by the letter.
#include <doctest/doctest.h>

#include "support/path_laws.hpp"

namespace {

using namespace rta;
using namespace rta::analysis::path;
using namespace rta::test;

}  // namespace

TEST_CASE("Path bounds: 2,000 random systems never exceed them, and broken formulas are caught") {
  PathLawCounts counts;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) check_path_laws(seed, 6, counts);
  // Neither vacuous nor loose: most systems have bounds, many bounds are reached exactly, each mutant is caught.
  CHECK(counts.bounded > 1000);
  CHECK(counts.only_T10j > 20);
  CHECK(counts.reached > 100);
  CHECK(counts.caught[static_cast<std::size_t>(Mutant::no_carry_in)] > 0);
  CHECK(counts.caught[static_cast<std::size_t>(Mutant::open_right_end)] > 0);
  CHECK(counts.caught[static_cast<std::size_t>(Mutant::last_piece_twice)] > 0);
  CHECK(counts.caught[static_cast<std::size_t>(Mutant::none)] == 0);
}

TEST_CASE("Path bounds, points per node: 2,000 random systems never exceed them, and broken formulas are caught") {
  PathLawCounts counts;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) check_laws_by_node(seed, 6, counts);
  CHECK(counts.bounded > 300);
  CHECK(counts.only_T10j > 20);
  CHECK(counts.reached > 50);
  for (const Mutant mutant : {Mutant::no_carry_in, Mutant::last_node_alone, Mutant::no_jitter, Mutant::no_lead}) {
    CAPTURE(static_cast<int>(mutant));
    CHECK(counts.caught[static_cast<std::size_t>(mutant)] > 0);
  }
  CHECK(counts.caught[static_cast<std::size_t>(Mutant::none)] == 0);
}

TEST_CASE("T10: 2 ceil(R/T) - 1 own jobs are too few when zero-length nodes end a chain at R = T") {
  // One DAG, T = 12: 3 on a FIFO processor, 9 on one of two preemptive processors, 0 on the first again. The last node is ready at r + 12,
  // when the next job's first node is too, and that one may go first: 15. The broken count ends at R = 12.
  System system{{{"fifo", Order::fifo, 1, 1, true}, {"gel", Order::gel, 2, 1, true}}, {}};
  Dag dag{"d", Time(12), {}, {{0, Time(3), 3, 3, {}}, {1, Time(9), 9, 9, {}}, {0, Time(0), 0, 0, {}}}, {{0, 1}, {1, 2}}};
  system.dags.push_back(dag);
  // Own jobs for 12 < R <= 24: 2 + 1 on the FIFO pool, 2 on the GEL pool: R = 9/2 + 3 x 3 + 2 x 9/2 = 22.5.
  CHECK(bounds(system)->R == std::vector{Time(23)});
  const auto broken = PathOracle(system, Mutant::two_ceil_minus_one).whole(1000);
  REQUIRE(broken);
  CHECK(broken->front() == 12);

  std::int64_t latest = 0;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<SimulatedJob> jobs(2);
    for (std::size_t j = 0; j < 2; ++j) {
      jobs[j].release = static_cast<std::int64_t>(12 * j);
      jobs[j].nodes = {{0, {3}, 1, {}}, {1, {9}, 1, {0}}, {0, {0}, 1, {1}}};
    }
    CompletionSimulation({{SimulatedOrder::fifo, 1, 1}, {SimulatedOrder::gel, 2, 1}}, jobs, random).run();
    latest = std::max(latest, jobs[0].end[2]);
  }
  CHECK(latest == 15);
}

TEST_CASE("Non-preemptive GEL: one longest piece per path is too little") {
  // Nodes of 1 on the non-preemptive processor, on another one, and on the first again; two strangers of 5, Y = 1000, T = 1000. Both of
  // its nodes there may find a stranger running: 5 + 1 + 1 (+ 4 left of the second stranger) + 1 = 12.
  System system{{{"np", Order::gel_non_preemptive, 1, 1, true}, {"other", Order::fifo, 1, 1, true}}, {}};
  system.dags.push_back({"d", Time(100), {}, {{0, Time(1), 1, 1, {}}, {1, Time(1), 1, 1, {}}, {0, Time(1), 1, 1, {}}}, {{0, 1}, {1, 2}}});
  system.dags.push_back({"s", Time(1000), Time(1000), {{0, Time(5), 5, 5, {}}}, {}});
  system.dags.push_back({"t", Time(1000), Time(1000), {{0, Time(5), 5, 5, {}}}, {}});
  CHECK(bounds(system)->R[0] == Time(13));
  const auto broken = PathOracle(system, Mutant::blocked_once_per_path).whole(10000);
  REQUIRE(broken);
  CHECK(broken->front() == 8);

  std::int64_t latest = 0;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<SimulatedJob> jobs(3);
    jobs[0] = {1, 1, {{0, {1}, 1, {}}, {1, {1}, 1, {0}}, {0, {1}, 1, {1}}}, {}};
    jobs[1] = {0, 1000, {{0, {5}, 1, {}}}, {}};
    jobs[2] = {6, 1006, {{0, {5}, 1, {}}}, {}};
    CompletionSimulation({{SimulatedOrder::gel_non_preemptive, 1, 1}, {SimulatedOrder::fifo, 1, 1}}, jobs, random).run();
    latest = std::max(latest, jobs[0].end[2] - jobs[0].release);
  }
  CHECK(latest > 8);
  CHECK(latest <= 13);
}

TEST_CASE("T10, T10n: less work or longer periods never raise a bound at fixed priority points") {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    RandomPaths random(seed);
    RandomPathOptions options;
    options.by_node = seed % 3 == 0;  // T10n alone bounds these
    const RandomPathSystem s = random.system(options);
    Limits limits;
    limits.periods = 50;
    const auto whole_of = [&](const System& system) -> rta::analysis::Result<Bounds> {
      if (options.by_node) return rta::analysis::reason::NodeWithout{};
      return bounds(system, limits);
    };
    const auto whole = whole_of(s.system);
    const auto nodes = node_bounds(s.system, Refinement::T10n, limits);
    if (!nodes) continue;
    std::mt19937_64 choose(seed);
    for (int change = 0; change < 4; ++change) {
      System less = s.system;
      Dag& dag = less.dags[choose() % less.dags.size()];
      Node& node = dag.nodes[choose() % dag.nodes.size()];
      if (change % 2 == 0) {
        dag.T += Time(static_cast<std::int64_t>(choose() % 40));
      } else if (choose() % 2 == 0 && node.vol > node.s) {
        node.vol -= node.s;  // one block or item fewer
      } else if (node.e > Time(0)) {
        const Wide B = node.vol / node.s;
        const Wide weight = node.s / node.e.count();
        node.e -= Time(1);
        node.s = weight * node.e.count();
        node.vol = B * node.s;
      }
      const auto less_nodes = node_bounds(less, Refinement::T10n, limits);
      REQUIRE(less_nodes);
      const auto less_whole = whole_of(less);
      if (whole) REQUIRE(less_whole);
      for (std::size_t d = 0; d < less.dags.size(); ++d) {
        if (whole) CHECK(less_whole->R[d] <= whole->R[d]);
        for (std::size_t v = 0; v < less.dags[d].nodes.size(); ++v) CHECK(less_nodes->F[d][v] <= nodes->F[d][v]);
      }
      ++compared;
    }
  }
  CHECK(compared > 1000);
}
