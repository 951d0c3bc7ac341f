// T11 and T11j from below for one DAG under fixed priorities, against rounds of their right-hand sides.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "analysis/path/path_nodes.hpp"
#include "analysis/path/priority/climb.hpp"
#include "analysis/path/priority/work_above.hpp"
#include "analysis/path/system/solving_order.hpp"
#include "support/path_systems.hpp"

namespace {

using rta::Time;
using namespace rta::analysis::path;

using Random = std::mt19937_64;

std::int64_t draw(Random& random, std::int64_t from, std::int64_t to) {
  return from + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(to - from + 1));
}

/// DAGs of one priority each, on one pool of 2 to 4 processors; some load it nearly in full.
System random_system(Random& random) {
  System system;
  const std::int64_t m = draw(random, 2, 4);
  system.pools = {rta::test::pool(Order::fixed, static_cast<std::uint32_t>(m))};
  system.pools.front().equals_any = draw(random, 0, 1) == 1;
  const std::int64_t dags = draw(random, 1, 5);
  for (std::int64_t d = 0; d < dags; ++d) {
    const std::int64_t nodes = draw(random, 1, 6);
    const std::int64_t T = draw(random, 20, 120);
    const std::int64_t longest = std::max<std::int64_t>(1, 2 * T * m / (dags * nodes));
    std::vector<Node> all;
    std::vector<Precedence> edges;
    for (std::int64_t v = 0; v < nodes; ++v) {
      all.push_back(rta::test::node(0, Time(draw(random, 0, longest)), static_cast<std::uint32_t>(dags - d)));
      for (std::int64_t u = 0; u < v; ++u) {
        if (draw(random, 0, 2) == 0) edges.push_back({static_cast<std::size_t>(u), static_cast<std::size_t>(v)});
      }
    }
    system.dags.push_back(rta::test::dag(Time(T), std::move(all), std::move(edges)));
  }
  return system;
}

/// Up to the least solution for class k, given the ends of the others; false where an end passes the limit.
bool solved_by_rounds(const Ticks& ticks, Nodes& nodes, std::size_t k, std::int64_t grid) {
  for (bool changed = true; changed;) {
    changed = false;
    nodes.prepare(std::optional(k));
    nodes.prepare(k);
    for (const std::uint32_t v : ticks.classes[k].order) {
      const std::int64_t next = nodes.right_hand_side(k, v, grid, nodes.F[k][v]);
      if (next <= nodes.F[k][v]) continue;
      if (next > ticks.classes[k].limit) return false;
      nodes.F[k][v] = next;
      changed = true;
    }
    nodes.changed(k);
  }
  return true;
}

}  // namespace

TEST_CASE("Work above: two DAGs and own later jobs, worked out by hand") {
  // Two processors, 2 ticks a ns. Of F = 4, C = 3, T = 10 there are ceil((4 + x)/10) jobs, 3 ticks each: up to x = 6 one, up to 16 two. Of
  // F = 5, C = 2, T = 8, 2 ticks each: up to 3 one, up to 11 two, up to 19 three.
  System system;
  system.pools = {rta::test::pool(Order::fixed, 2)};
  system.dags = {rta::test::dag(Time(10), {rta::test::node(0, Time(3), 2)}), rta::test::dag(Time(8), {rta::test::node(0, Time(2), 1)})};
  const Ticks ticks = to_ticks(system, {}, true);
  REQUIRE(ticks.Q == 2);
  std::vector<Staircase> stairs;
  for (const std::size_t k : ticks.class_of) stairs.emplace_back(ticks.classes[k], 0);
  const std::vector<std::int64_t> first{4};
  const std::vector<std::int64_t> second{5};
  stairs[0].set(first);
  stairs[1].set(second);
  const std::vector<WorkAbove::Dag> dags{{1, &stairs[0]}, {1, &stairs[1]}};
  WorkAbove alone(dags, {20, Tick::zero()}, ticks.Q);
  CHECK(alone.at(3).count() == 5);
  CHECK(alone.at(4).count() == 7);
  CHECK(alone.at(7).count() == 10);
  // c = 1: 1 + 5 <= 2 x at x = 3. c = 2: 2 + 5 > 6, then 2 + 7 <= 10 at 5. c = 7: 7 + 7 > 12, then 7 + 10 <= 18 at 9.
  CHECK(alone.least(Tick(1), 0, 100) == 3);
  CHECK(alone.least(Tick(2), 0, 100) == 5);
  CHECK(alone.least(Tick(7), 0, 100) == 9);
  CHECK(alone.least(Tick(2), 7, 100) == 6);  // what counts up to 7: 2 + 10
  CHECK(alone.least(Tick(30), 0, 12) > 12);
  // One own job of 4 ticks more from x = 8 on: 7 + 10 + 4 > 18, so 11 at x = 11, where 2 x = 22.
  WorkAbove later(dags, {8, Tick(4)}, ticks.Q);
  CHECK(later.at(7).count() == 10);
  CHECK(later.at(8).count() == 14);
  CHECK(later.least(Tick(7), 0, 100) == 11);
}

TEST_CASE("Work above: 20,000 random searches find the least solution, and no line passes it") {
  Random random(1);
  std::size_t found = 0;
  std::size_t beyond = 0;
  while (found + beyond < 20'000) {
    const System system = random_system(random);
    const Ticks ticks = to_ticks(system, {}, true);
    std::vector<Staircase> stairs;
    std::vector<std::vector<std::int64_t>> F;
    std::vector<WorkAbove::Dag> dags;
    for (const Class& c : ticks.classes) {
      auto& ends = F.emplace_back(c.size());
      for (std::int64_t& end : ends) end = draw(random, 0, 3 * c.T);
      stairs.emplace_back(c, 0);
    }
    for (std::size_t k = 0; k < stairs.size(); ++k) {
      stairs[k].set(F[k]);
      dags.push_back({draw(random, 1, 2), &stairs[k]});
    }
    const WorkAbove::Later own{draw(random, 5, 90), Tick(draw(random, 0, 1) * draw(random, 1, 60))};
    WorkAbove above(dags, own, ticks.Q);
    for (int i = 0; i < 20; ++i) {
      const Tick c(draw(random, 0, 400));
      const std::int64_t from = draw(random, 0, 3000);
      const std::int64_t most = from + draw(random, 0, 400);
      const auto right_hand_side = [&](std::int64_t x) {
        Tick work = c + x / own.T * own.work;
        for (const WorkAbove::Dag& dag : dags) work += dag.copies * dag.stairs->at(x);
        return ticks.ns(work);
      };
      std::int64_t least = right_hand_side(from);
      for (std::int64_t x = from; least > x && least <= most; least = right_hand_side(x)) x = least;
      const std::int64_t x = above.least(c, from, most);
      if (least <= most) {
        CHECK(x == least);
        ++found;
      } else {
        CHECK(x > most);
        ++beyond;
      }
      if (least <= most) CHECK(above.least_by_line(c, from) <= std::max(least, from));
    }
  }
  CHECK(found > 1'000);
  CHECK(beyond > 1'000);
}

TEST_CASE("Climb: 3,000 random systems, to just where rounds lead") {
  Random random(2);
  std::size_t solved = 0;
  std::size_t by_late = 0;
  std::size_t past_limit = 0;
  for (int i = 0; i < 3'000; ++i) {
    const System system = random_system(random);
    Limits limits;
    limits.periods = draw(random, 1, 40);
    Ticks ticks = to_ticks(system, limits, true);
    const bool late = draw(random, 0, 3) > 0;
    const Refinement refinement = late ? Refinement::T10g : Refinement::T10n;
    // Without T24, past which nothing climbs.
    const Rules rules =
        refinement == Refinement::T10g ? Rules{Rule::aligned, Rule::local_on_fifo, Rule::local, Rule::carried} : rules_of(refinement);
    Nodes rounds(ticks, rules);
    Nodes climbs(ticks, rules);
    const std::int64_t grid = draw(random, 1, 3);
    for (const auto& turn : solving_order(ticks)) {
      if (turn.size() != 1) break;
      const std::size_t k = turn.front();
      climbs.prepare(std::optional(k));
      const bool late_decides = climbs.climb(k, grid, late);
      if (!solved_by_rounds(ticks, rounds, k, grid)) {
        for (std::size_t v = 0; v < climbs.F[k].size(); ++v)
          CHECK(climbs.F[k][v] <= std::max(ticks.classes[k].limit, ticks.classes[k].longest[v]));
        CHECK_FALSE(solved_by_rounds(ticks, climbs, k, grid));
        ++past_limit;
        break;
      }
      if (Climb::applies(ticks, k)) {
        CHECK(climbs.F[k] == rounds.F[k]);
        ++solved;
      }
      climbs.F[k] = rounds.F[k];
      climbs.changed(k);
      by_late += late_decides ? 1 : 0;
    }
  }
  CHECK(solved > 3'000);
  CHECK(by_late > 500);
  CHECK(past_limit > 300);
}
