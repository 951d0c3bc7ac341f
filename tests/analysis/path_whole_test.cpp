// T10d against hand-worked numbers, and its closed form against every phase.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "analysis/path/path_in_time.hpp"
#include "analysis/path/whole/whole_window.hpp"
#include "rta/analysis/path/derivations.hpp"
#include "rta/analysis/path/path.hpp"
#include "support/inequality_laws.hpp"

namespace {

using namespace rta::analysis::path;
using rta::Time;
using namespace rta::literals;
using rta::test::sum_of;

Node node(std::int64_t C, std::uint32_t priority = 0) {
  Node node;
  node.e = Time(C);
  node.s = node.vol = C;
  node.priority = priority;
  return node;
}

/// Two nodes of 4 beside each other, T = 12, before a node of 5, T = 20; two processors.
System two_dags(Order order) {
  System system;
  system.pools.resize(1);
  system.pools[0].capacity = 2;
  system.pools[0].order = order;
  system.dags = {Dag{"d", Time(12), Time(12), {node(4, 2), node(4, 2)}, {}}, Dag{"k", Time(20), Time(20), {node(5, 1)}, {}}};
  return system;
}

/// Nodes that do V together, and families of 1, 2 ... chains, on m processors.
struct Job {
  std::int64_t V = 0;
  std::vector<std::int64_t> families = {};
  std::int64_t m = 1;

  [[nodiscard]] WorkWithin within() const { return {V, families, m}; }
  /// h as the theorem states it; halves of a ns.
  [[nodiscard]] std::int64_t h(std::int64_t t) const {
    std::int64_t least = std::min(2 * V, m * t);
    for (std::size_t i = 0; i < families.size(); ++i) {
      const auto chains = static_cast<std::int64_t>(i) + 1;
      if (chains < m) least = std::min(least, chains * t + 2 * (V - families[i]));
    }
    return least;
  }
};

/// What all jobs do at most that are released at phase + j T, up to `last`; halves of a ns.
std::int64_t at_phase(const Job& job, const WholeWindow& of, std::int64_t phase) {
  std::int64_t sum = 0;
  for (std::int64_t x = phase - (of.F / of.T + 2) * of.T; x < of.L && x <= of.last; x += of.T) {
    const std::int64_t most = job.h(2 * std::max<std::int64_t>(0, std::min(x + of.F, of.L) - std::max<std::int64_t>(x, 0)));
    sum += x < 0 && of.left != nullptr ? std::min(most, of.left->in_last(2 * x + of.E)) : most;
  }
  return sum;
}

/// Melani et al., where all jobs have ends that R allows, in ns.
std::int64_t melani(const Job& job, const WholeWindow& of) {
  const std::int64_t X = job.m * (of.L + of.F) - job.V;
  const std::int64_t mT = job.m * of.T;
  return X <= 0 ? 0 : X / mT * job.V + std::min(job.V, X % mT);
}

}  // namespace

TEST_CASE("T10d: whether a DAG ends in time below others that are taken to end by their deadlines") {
  // 3 below 4 -> 6 beside 4, T = 20, which end by 13: T11 counts them twice in more than 7, 3 + 28/2 = 17; T10d has 3 + 14/2 = 10.
  System system;
  system.pools.resize(1);
  system.pools[0].capacity = 2;
  system.pools[0].order = Order::fixed;
  system.dags = {Dag{"d", Time(24), Time(24), {node(3, 1)}, {}},
                 Dag{"k", Time(20), Time(20), {node(4, 2), node(6, 2), node(4, 2)}, {{0, 1}}}};
  const auto in_time = [&](std::int64_t D, Refinement refinement) {
    return ends_in_time(system, 0, std::vector{Time(D), Time(13)}, refinement, {});
  };
  CHECK_FALSE(in_time(13, Refinement::T10g));
  CHECK(in_time(13, Refinement::T10d));
  CHECK(in_time(10, Refinement::T10d));
  CHECK_FALSE(in_time(9, Refinement::T10d));
}

// T11: k has 5 + 2 x 8/2 = 13, as jobs of d that end by 6 count twice from (6 + 9)/12 > 1 on. T10d: v = 8, S(2 (9 + 6) - 8) = min(8, 22): 5
// + 8/2 = 9.
TEST_CASE("T10d: under fixed priorities the DAG's work is not all in both ends of the window") {
  const System system = two_dags(Order::fixed);
  CHECK(node_bounds(system, Refinement::T10g)->R == std::vector{6_ns, 13_ns});
  const auto bounds = node_bounds(system, Refinement::T10d);
  CHECK(bounds->R == std::vector{6_ns, 9_ns});
  CHECK(bounds->support[1][0] == Support::whole);
  const auto derivation = Derivations(system, *bounds).by(Support::whole, 1, 0);
  const auto sum = sum_of<CountedSum>(derivation);
  CHECK(rta::analysis::ceil_to_time(derivation->total) == 9_ns);
  REQUIRE(sum.waits.size() == 1);
  REQUIRE(sum.waits[0].jobs.size() == 2);
  CHECK(sum.waits[0].jobs[0].work == 8);
  REQUIRE(sum.waits[0].jobs[0].whole);
  CHECK(sum.waits[0].jobs[0].whole->volume == 8);
  CHECK(sum.waits[0].jobs[0].whole->end == 6_ns);
  CHECK(sum.waits[0].jobs[1].work == 5);
}

// d: lim = 12 - 20 = -8, jobs of k end by 9, so m (lim + F) = 2 is all that fits: 4 + (4 + 2)/2 = 7. k: lim = 8, F = 7: the last job at 8
// does min(8, 2 x 1), the one before S(2 x 15 - 24) = 6; from the left one job, 8. So 5 + 8/2 = 9.
TEST_CASE("T10d: under G-EDF no job counts that is released so late that its deadline is later") {
  const System system = two_dags(Order::gel);
  CHECK(node_bounds(system, Refinement::T10d)->R == std::vector{7_ns, 9_ns});
  CHECK(node_bounds(system, Refinement::T10v)->R[1] > 9_ns);
}

// d: V = 18, K_1 = 8, K_2 = 16, E = 8 + 10/3, 11.5, F = 12. k: by h alone two jobs do 2 h((14 + 12 - 16)/2) = 2 (2 x 5 + 18 - 16), 6 + 24/3
// = 14; with K_1 alone h(6.5) = 6.5 + 18 - 8, 6 + 33/3 = 17. But in its last 4 d has 3 x 2 + 1 x 4 left. L = 13: t = 4.5, B(4.5 - 0.5) =
// 10, and h(9 - 4.5) = 11: 6 + 21/3.
TEST_CASE("T10d: two chains of a DAG run for no longer than the window each, and what is carried in is what its age leaves") {
  System system;
  system.pools.resize(1);
  system.pools[0].capacity = 3;
  system.pools[0].order = Order::fixed;
  system.dags = {Dag{"d", Time(16), Time(16), {node(4, 2), node(1, 2), node(4, 2), node(4, 2), node(1, 2), node(4, 2)}, {}},
                 Dag{"k", Time(40), Time(40), {node(6, 1)}, {}}};
  system.dags[0].edges = {{0, 1}, {0, 2}, {3, 4}, {3, 5}};
  CHECK(node_bounds(system, Refinement::T10d)->R == std::vector{12_ns, 13_ns});
}

TEST_CASE("T10d: a node of length 0 counts as the least unit of time") {
  System system = two_dags(Order::fixed);
  system.dags[1].nodes.push_back(node(0, 1));
  system.dags[1].edges.push_back({0, 1});
  CHECK(node_bounds(system, Refinement::T10d)->F[1] == std::vector{9_ns, 10_ns});
}

TEST_CASE("h is the least of its lines, at whole times and between them") {
  std::mt19937_64 random(3);
  const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
  for (int i = 0; i < 2'000; ++i) {
    CAPTURE(i);
    Job job{.V = 1 + below(40), .m = 1 + below(6)};
    for (std::int64_t chains = below(8); chains > 0; --chains) {
      job.families.push_back(std::min(job.V, (job.families.empty() ? 0 : job.families.back()) + below(12)));
    }
    const WorkWithin within = job.within();
    REQUIRE(within.m() == job.m);
    REQUIRE(within.corners().size() + 1 == within.lines().size());
    const std::int64_t of = 1 + below(5);
    Job finer = job;  // times, and so work, `of` times as long
    finer.V *= of;
    for (std::int64_t& K : finer.families) K *= of;
    for (std::int64_t t = 0; t < 100; ++t) {
      REQUIRE(within.at(t) == job.h(t));
      REQUIRE(within.at(t, of) == finer.h(t));
    }
  }
}

// Times 2^40 as long, of nodes of which hundreds run at once: nothing overflows, and only what is rounded up may be less than as much.
TEST_CASE("T10d's sums of long times are those of short ones") {
  std::mt19937_64 random(2);
  const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
  constexpr std::int64_t scale = std::int64_t{1} << 40U;
  int less = 0;
  for (int i = 0; i < 2'000; ++i) {
    WorkLeft left;
    WorkLeft longer;
    for (std::int64_t steps = 1 + below(4); steps > 0; --steps) {
      left.last.push_back({1 + below(4), 1 + below(300)});
      longer.last.push_back({left.last.back().width * scale, left.last.back().height});
      left.longest += left.last.back().width;
      left.V += left.last.back().width * left.last.back().height;
    }
    longer.longest = left.longest * scale;
    longer.V = left.V * scale;
    WholeWindow window;
    const Job job{left.V, {left.longest}, 1 + below(3)};
    const WorkWithin within = job.within();
    const WorkWithin within_longer = Job{job.V * scale, {left.longest * scale}, job.m}.within();
    window.job = &within;
    window.T = 4 + below(12);
    window.F = below(30);
    window.L = below(30);
    window.last = below(50) - 15;
    WholeWindow whole = window;
    window.left = &left;
    window.E = 2 * left.longest + below(12);
    WholeWindow scaled = window;
    scaled.left = &longer;
    scaled.job = &within_longer;
    for (std::int64_t* time : {&scaled.T, &scaled.F, &scaled.L, &scaled.last, &scaled.E}) *time *= scale;
    CAPTURE(i);
    const std::int64_t work = window.most().work;
    const std::int64_t of_long = scaled.most().work;
    REQUIRE(of_long <= work * scale);
    REQUIRE(of_long > (work - 1) * scale);
    less += work < whole.most().work ? 1 : 0;
  }
  CHECK(less > 100);
}

TEST_CASE("T10d's sums are no less than at any phase, no more than Melani's, and grow as they say") {
  std::mt19937_64 random(1);
  const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
  int exact = 0;
  int limited = 0;
  int rising = 0;
  int less = 0;
  for (int i = 0; i < 20'000; ++i) {
    WholeWindow window;
    Job job{.m = 1 + below(4)};
    window.T = 1 + below(12);
    WorkLeft left;
    for (std::int64_t steps = below(2) * below(5); steps > 0; --steps) {
      left.last.push_back({1 + below(4), 1 + below(3)});
      left.longest += left.last.back().width;
      left.V += left.last.back().width * left.last.back().height;
    }
    const std::int64_t vol = left.V > 0 ? left.V : std::min(below(25), job.m * window.T);
    job.V = vol;
    std::int64_t more = vol;
    for (std::int64_t chains = 1; chains < job.m && vol > 0; ++chains) {
      const std::int64_t before = job.families.empty() ? 0 : job.families.back();
      more = std::min(vol - before, below(more + 1));
      job.families.push_back(before + more);
    }
    const WorkWithin within = job.within();
    window.job = &within;
    window.F = below(30);
    window.L = below(30);
    window.last = below(3) == 0 ? window.L : below(50) - 15;
    const std::int64_t whole = window.most().work;
    if (left.V > 0) {
      window.left = &left;
      window.E = 2 * left.longest + below(12);
    }
    const std::int64_t work = window.most().work;
    REQUIRE(work <= whole);
    less += work < whole ? 1 : 0;
    std::int64_t most = 0;
    for (std::int64_t phase = 0; phase < window.T; ++phase) most = std::max(most, at_phase(job, window, phase));
    CAPTURE(i);
    REQUIRE(work >= most);
    exact += work == most ? 1 : 0;
    if (left.V == 0 && job.m * window.F >= vol && job.m * window.L >= vol) REQUIRE(work <= 2 * melani(job, window));
    limited += window.last < window.L && work > 0 ? 1 : 0;
    if (window.last >= 0 && left.V == 0) {
      REQUIRE(window.at_periods() == at_phase(job, window, 0) - job.h(2 * std::min(window.F, window.L)));
    }
    // What is said of a longer window.
    const WholeWindow::Most said = window.most();
    const std::int64_t longest = said.rises.empty() ? 0 : said.rises.back().rises_for;
    for (std::int64_t by = 1; by <= longest + 3; ++by) {
      rising += by <= longest ? 1 : 0;
      std::int64_t grown = 0;
      for (const WholeWindow::Rise& rise : said.rises) grown += std::min(by, rise.rises_for) * rise.rate;
      WholeWindow longer = window;
      longer.L += by;
      if (window.last == window.L) longer.last = longer.L;
      REQUIRE(longer.most().work >= work + 2 * grown);
    }
  }
  CHECK(exact > 8'000);
  CHECK(limited > 2'000);
  CHECK(rising > 2'000);
  CHECK(less > 1'000);
}
