// Laws of T10d over random systems, against an exact simulation and the theorem by the letter; and Melani et al. (2015) beside it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support/dag_peers.hpp"
#include "support/whole_laws.hpp"

namespace {

using namespace rta::analysis::path;
using rta::Time;

constexpr std::int64_t unit = 12;  // divides by 2, 3 and 4 processors: nothing is rounded

/// The most urgent first; periods from what a DAG alone takes on.
System random_system(std::mt19937_64& random, Order order) {
  System system;
  system.pools.resize(1);
  system.pools[0].order = order;
  system.pools[0].capacity = static_cast<std::uint32_t>(2 + random() % 3);
  system.pools[0].equals_any = random() % 2 == 0;
  const std::size_t dags = 2 + random() % 3;
  for (std::size_t d = 0; d < dags; ++d) {
    Dag& dag = system.dags.emplace_back();
    dag.name = "d" + std::to_string(d);
    std::int64_t vol = 0;
    const std::size_t nodes = 1 + random() % 7;
    for (std::size_t v = 0; v < nodes; ++v) {
      Node& node = dag.nodes.emplace_back();
      node.e = Time(static_cast<std::int64_t>(1 + random() % 5) * unit);
      node.s = node.vol = node.e.count();
      vol += node.e.count() / unit;
      for (std::size_t u = 0; u < v; ++u) {
        if (random() % 3 == 0) dag.edges.push_back({u, v});
      }
    }
    dag.T = dag.Y = Time((vol / 2 + 2 + static_cast<std::int64_t>(random() % 24)) * unit);
  }
  std::ranges::stable_sort(system.dags, {}, &Dag::T);
  for (std::size_t d = 0; d < dags; ++d) {
    for (Node& node : system.dags[d].nodes) node.priority = static_cast<std::uint32_t>(dags - d);
  }
  return system;
}

void never_above(Order order, int least_below) {
  int compared = 0;
  int below = 0;
  for (std::uint64_t seed = 1; compared < 1'000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    System system = random_system(random, order);
    const auto deadlines = [&] {
      std::vector<Time> D;
      for (const Dag& dag : system.dags) D.push_back(dag.T);
      return D;
    };
    const std::int64_t m = system.pools[0].capacity;
    const auto peers = [&] { return rta::test::DagPeers(system.dags, deadlines(), system.pools[0].capacity); };
    const std::vector<std::int64_t> R = order == Order::fixed ? peers().melani_fp() : peers().melani_edf();
    if (R.size() < 2) continue;
    system.dags.resize(R.size());
    const auto bounds = node_bounds(system, Refinement::T10d);
    REQUIRE(bounds);
    for (std::size_t d = 0; d < R.size(); ++d) {
      CHECK(m * bounds->R[d].count() <= R[d]);
      ++compared;
      below += m * bounds->R[d].count() < R[d] ? 1 : 0;
    }
  }
  MESSAGE("below it for ", below, " of ", compared);
  CHECK(below >= least_below);
}

struct Part {
  std::int64_t C = 0;
  std::uint32_t priority = 0;
  std::size_t pool = 0;
};

/// DAGs, a job each, on one pool unless more are added.
struct OnePool {
  OnePool(std::uint32_t m, Order order, rta::test::SimulatedOrder simulated) { add_pool(m, order, simulated); }

  void add_pool(std::uint32_t m, Order order = Order::fifo, rta::test::SimulatedOrder simulated = rta::test::SimulatedOrder::fifo) {
    system.pools.emplace_back().capacity = m;
    system.pools.back().order = order;
    pools.push_back({.order = simulated, .capacity = m});
  }

  void add(std::int64_t release, const std::vector<Part>& parts, std::vector<Precedence> edges, std::int64_t Y = 100,
           std::int64_t T = 100) {
    Dag& dag = system.dags.emplace_back(Dag{"d" + std::to_string(jobs.size()), Time(T), Time(Y), {}, std::move(edges)});
    rta::test::SimulatedJob& job = jobs.emplace_back();
    job.release = release;
    job.priority_point = release + Y;
    for (const auto& [C, priority, pool] : parts) {
      Node& node = dag.nodes.emplace_back();
      node.pool = pool;
      node.e = Time(C);
      node.s = node.vol = C;
      node.priority = priority;
      rta::test::SimulatedNode& simulated = job.nodes.emplace_back();
      simulated.pool = pool;
      simulated.pieces = {C};
      simulated.priority = priority;
    }
    for (const Precedence& edge : dag.edges) job.nodes[edge.to].predecessors.push_back(edge.from);
  }

  std::vector<std::vector<std::int64_t>> played() {
    std::mt19937_64 random(1);
    rta::test::CompletionSimulation(pools, jobs, random).run();
    std::vector<std::vector<std::int64_t>> ends;
    for (const auto& job : jobs) ends.push_back(job.end);
    return ends;
  }

  [[nodiscard]] rta::test::WholeOracle::Ends proven() const {
    const auto bounds = node_bounds(system, Refinement::T10d);
    REQUIRE(bounds);
    rta::test::WholeOracle::Ends F;
    for (const auto& row : bounds->F) {
      auto& ends = F.emplace_back();
      for (const Time f : row) ends.push_back(f.count());
    }
    return F;
  }

  System system;
  std::vector<rta::test::SimulatedJob> jobs;
  std::vector<rta::test::SimulatedPool> pools;
};

/// `share`: of so many nodes one is exact.
void are_as_by_the_letter(const rta::test::WholeCounts& counts, int least, int share = 2) {
  MESSAGE(counts.bounded, " systems, ", counts.only, " of them bounded by nothing before; ", counts.whole, " nodes by T10d, ", counts.exact,
          " of them as by the letter; reached in ", counts.reached);
  CHECK(counts.whole > least);
  CHECK(counts.exact > counts.whole / share);
  CHECK(counts.reached > 20);
  CHECK(counts.caught[0] == 0);
}

}  // namespace

TEST_CASE("T10d: random systems never exceed it, it is never above what was before, and broken ones are caught") {
  rta::test::WholeCounts counts;
  for (std::uint64_t seed = 1; seed <= 700; ++seed) rta::test::check_whole_laws(seed, 40, counts);
  are_as_by_the_letter(counts, 50);
  for (std::size_t i = 1; i < static_cast<std::size_t>(rta::test::WholeMutant::shared_chains); ++i) {  // that one below
    CAPTURE(i);
    CHECK(counts.caught[i] > 0);
  }
}

TEST_CASE("T10d without preemption: random systems never exceed it, and broken ones are caught") {
  rta::test::WholeCounts counts;
  rta::test::RandomPathOptions options;
  options.started = true;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) rta::test::check_whole_laws(seed, 40, counts, options);
  are_as_by_the_letter(counts, 100);
  constexpr auto by_points = static_cast<std::size_t>(rta::test::WholeMutant::no_later);
  for (auto i = static_cast<std::size_t>(rta::test::WholeMutant::fewer_pieces); i < by_points; ++i) {
    CAPTURE(i);
    if (static_cast<rta::test::WholeMutant>(i) == rta::test::WholeMutant::no_own_pieces) continue;  // below
    CHECK(counts.caught[i] > 0);
  }
  CHECK(counts.takes_first > 0);
}

// One processor: a (1) before b (2), urgent, and 10 and 10, of which one has just begun when a comes. Blocked once, b ends by 1 + 2 + 10
// after the release; a processor that took the other 10 before it queued b would end it 10 later.
TEST_CASE("T10d without preemption: servers that take their next node before they queue what is ready would exceed it") {
  OnePool example(1, Order::fixed_non_preemptive, rta::test::SimulatedOrder::fixed_non_preemptive);
  example.add(1, {{1, 2}, {2, 2}}, {{0, 1}});
  for (int i = 0; i < 2; ++i) example.add(0, {{10, 1}}, {});
  const auto F = example.proven();
  CHECK(F[0] == std::vector<std::int64_t>{11, 13});
  CHECK(example.played()[0][1] == 13);  // released at 1
  std::mt19937_64 random(1);
  rta::test::CompletionSimulation(example.pools, example.jobs, random, rta::test::Between::takes_first).run();
  CHECK(example.jobs[0].end[1] == 23);
}

TEST_CASE("T10d without preemption, by points: random systems never exceed it, and broken ones are caught") {
  rta::test::WholeCounts counts;
  rta::test::RandomPathOptions options;
  options.started = options.started_by_points = true;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) rta::test::check_whole_laws(seed, 40, counts, options);
  are_as_by_the_letter(counts, 100);
  using enum rta::test::WholeMutant;
  for (const auto mutant : {no_first, short_window, shortest, no_later, all_precede}) {
    CAPTURE(static_cast<int>(mutant));
    CHECK(counts.caught[static_cast<std::size_t>(mutant)] > 0);
  }
  CHECK(counts.takes_first > 0);
}

TEST_CASE("T10d without preemption, by points, beside another pool: random systems never exceed it, and without later jobs it is caught") {
  rta::test::WholeCounts counts;
  rta::test::RandomPathOptions options;
  options.started = options.started_by_points = options.started_beside = true;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) rta::test::check_whole_laws(seed, 40, counts, options);
  are_as_by_the_letter(counts, 100, 3);  // with two pools more paths are joined
  CHECK(counts.caught[static_cast<std::size_t>(rta::test::WholeMutant::no_later_own)] > 0);
}

// Two processors: 1 before 2, and 10, 10, 8 and 6 with later points. K = 3 for the 2: 3 + 28/2. On one processor of two: 3 + 20/2.
TEST_CASE("T10d without preemption, by points: what has started before blocks once") {
  OnePool example(2, Order::gel_non_preemptive, rta::test::SimulatedOrder::gel_non_preemptive);
  example.add(1, {{1, 0}, {2, 0}}, {{0, 1}}, 1);
  for (const std::int64_t C : {10, 10, 8, 6}) example.add(0, {{C, 0}}, {}, 90);
  const auto F = example.proven();
  CHECK(F[0] == std::vector<std::int64_t>{11, 13});
  const auto plain = node_bounds(example.system, Refinement::T10v);
  REQUIRE(plain);
  CHECK(plain->F[0][1] == Time(20));
}

// One processor, T = 100: 2, due in 8, and 4, due in 12. Of the 4, which ends by 6, 2 are left of a job that precedes the 2, as it came 4
// earlier; of any that may have started 4, and both are of one job: 2 + 4, not 2 + 2 + 4. If all 4 were taken for work that precedes,
// nothing would be left to block, 2 + 2; but the 4 may have just begun.
TEST_CASE("T10d without preemption, by points: a job either precedes or blocks") {
  OnePool example(1, Order::gel_non_preemptive, rta::test::SimulatedOrder::gel_non_preemptive);
  example.add(1, {{2, 0}}, {}, 8);
  example.add(0, {{4, 0}}, {}, 12);
  CHECK(example.played()[0][0] == 6);  // released at 1
  const auto F = example.proven();
  CHECK(F == rta::test::WholeOracle::Ends{{6}, {6}});
  const auto at = [&](rta::test::WholeMutant mutant) { return rta::test::WholeOracle(example.system, mutant).right_hand_side(0, 0, F); };
  CHECK(at(rta::test::WholeMutant::none) == 6);
  CHECK(at(rta::test::WholeMutant::all_precede) == 4);
}

// One processor, and 12 of a FIFO pool: 5 before 20 there, before 1; T = 20. The next job comes 24 after the first, the last node of which
// is ready at 25 and ends at 30. T10d: 26, 1 of the job before it, 7/12 of that on the FIFO pool, and both pieces of the job after it.
TEST_CASE("T10d without preemption, by points: if the DAG's own later jobs did not block it would be exceeded") {
  OnePool example(1, Order::gel_non_preemptive, rta::test::SimulatedOrder::gel_non_preemptive);
  example.add_pool(12);
  for (const std::int64_t release : {0, 24}) example.add(release, {{5, 0}, {20, 0, 1}, {1, 0}}, {{0, 1}, {1, 2}}, 20, 20);
  example.system.dags.pop_back();  // two jobs of one DAG
  CHECK(example.played()[0][2] == 30);
  const auto F = example.proven();
  CHECK(F[0] == std::vector<std::int64_t>{6, 26, 33});
  const auto at = [&](rta::test::WholeMutant mutant) { return rta::test::WholeOracle(example.system, mutant).right_hand_side(0, 2, F); };
  CHECK(at(rta::test::WholeMutant::none) == 34);
  CHECK(at(rta::test::WholeMutant::no_later_own) == 28);
}

// One processor: 10, due in 90, has just begun when 1, due in 1, comes.
TEST_CASE("T10d without preemption, by points: if work of later points did not block it would be exceeded") {
  OnePool example(1, Order::gel_non_preemptive, rta::test::SimulatedOrder::gel_non_preemptive);
  example.add(1, {{1, 0}}, {}, 1);
  example.add(0, {{10, 0}}, {}, 90);
  CHECK(example.played()[0][0] == 11);  // released at 1
  const auto F = example.proven();
  CHECK(F[0][0] == 11);
  CHECK(rta::test::WholeOracle(example.system, rta::test::WholeMutant::no_later).right_hand_side(0, 0, F) == 1);
}

// Two processors: s (1) before two of 5, and 10 beside them, less urgent. One of the 5 runs from 6 on. Without the 10: 6 + 5/2.
TEST_CASE("T10d without preemption: without the job's own less urgent nodes it would be exceeded") {
  OnePool example(2, Order::fixed_non_preemptive, rta::test::SimulatedOrder::fixed_non_preemptive);
  example.add(0, {{1, 2}, {5, 2}, {5, 2}, {10, 1}}, {{0, 1}, {0, 2}});
  const auto end = example.played();
  CHECK(std::max(end[0][1], end[0][2]) == 11);
  const auto F = example.proven();
  const auto at = [&](rta::test::WholeMutant mutant) { return rta::test::WholeOracle(example.system, mutant).right_hand_side(0, 1, F); };
  CHECK(at(rta::test::WholeMutant::none) == 14);
  CHECK(at(rta::test::WholeMutant::no_own_pieces) == 9);
}

// Three processors: 4, then nine of 1, then 4. Of two chains with nodes in common, 9 each, nothing of its 17 would be left, so that it
// could keep two processors busy at most, 2 of 3; but the nine keep all three so for 3, from 4 on, when the other DAG comes: it ends at 8.
TEST_CASE("T10d: with chains that share nodes it would be exceeded") {
  OnePool example(3, Order::fixed, rta::test::SimulatedOrder::fixed);
  std::vector<Part> parts{{4, 2}};
  std::vector<Precedence> edges;
  for (std::size_t v = 1; v <= 9; ++v) {
    parts.push_back({1, 2});
    edges.push_back({0, v});
    edges.push_back({v, 10});
  }
  parts.push_back({4, 2});
  example.add(0, parts, edges);
  example.add(4, {{1, 1}}, {});
  CHECK(example.played()[1][0] == 8);
  const auto F = example.proven();
  const auto least = [&](rta::test::WholeMutant mutant) {
    const auto ends = from_below(example.system, rta::test::WholeOracle(example.system, mutant), F);
    REQUIRE(ends);
    return (*ends)[1][0];
  };
  CHECK(least(rta::test::WholeMutant::none) == 6);
  CHECK(least(rta::test::WholeMutant::shared_chains) == 3);
}

// G-EDF, one processor: 10 and 4 at 0, deadlines at 19 and 20, and 1 at 8, deadline at 21, which ends at 15. If they met no other jobs 4 of
// the one would be left at an age of 6, and nothing of the other at one of 7.
TEST_CASE("T10d: if what is left of a job did not wait for other jobs it would be exceeded") {
  OnePool example(1, Order::gel, rta::test::SimulatedOrder::gel);
  example.add(0, {{10, 0}}, {}, 19);
  example.add(0, {{4, 0}}, {}, 20);
  example.add(8, {{1, 0}}, {}, 13);
  CHECK(example.played()[2][0] == 15);
  const auto F = example.proven();
  CHECK(F[2][0] >= 7);
  const auto broken = from_below(example.system, rta::test::WholeOracle(example.system, rta::test::WholeMutant::left_alone), F);
  REQUIRE(broken);
  CHECK((*broken)[2][0] < 7);
}

// G-EDF, three processors: 8, then six of 8, then 8. At 16 three of the six have run, and a job of 1 comes: it waits until 24. If its own
// nodes did not wait for one another the DAG would have but 8 left then.
TEST_CASE("T10d: if what is left of a job did not wait for its own nodes it would be exceeded") {
  OnePool example(3, Order::gel, rta::test::SimulatedOrder::gel);
  std::vector<Part> parts{{8, 0}};
  std::vector<Precedence> edges;
  for (std::size_t v = 1; v <= 6; ++v) {
    parts.push_back({8, 0});
    edges.push_back({0, v});
    edges.push_back({v, 7});
  }
  parts.push_back({8, 0});
  example.add(0, parts, edges, 52);
  example.add(16, {{1, 0}}, {}, 37);
  CHECK(example.played()[1][0] == 25);
  const auto F = example.proven();
  CHECK(F[1][0] >= 9);
  const auto broken = from_below(example.system, rta::test::WholeOracle(example.system, rta::test::WholeMutant::left_on_path), F);
  REQUIRE(broken);
  CHECK((*broken)[1][0] < 9);
}

TEST_CASE("T10d, global fixed priorities, D = T: never above Melani et al.") { never_above(Order::fixed, 10); }
TEST_CASE("T10d, G-EDF, D = T: never above Melani et al.") { never_above(Order::gel, 200); }
