// The laws of T11j over random systems at high load, for the tests of every day and the long ones.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/path_laws.hpp"

namespace rta::test {

inline constexpr std::array T11j_mutants{Mutant::no_jitter, Mutant::urgent_no_carry, Mutant::urgent_x_0, Mutant::urgent_own_in_order};

/// One pool of one or two processors under fixed priorities; before some nodes there is one on a processor of its own. All periods are a
/// few units, so that the busy intervals of full load fit into a run.
inline RandomPathSystem urgent_system(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  RandomPathSystem s;
  const auto m = static_cast<std::uint32_t>(1 + below(2));
  const bool any = below(3) == 0;
  s.system.pools = {{"fixed", analysis::path::Order::fixed, m, 1, true, any}};
  s.pools = {{SimulatedOrder::fixed, m, 1, any}};
  const std::size_t dags = 1 + m + below(2);
  const bool different = below(2) == 0;
  std::int64_t rest = 840 * m;  // of the capacity, in 1/840
  for (std::size_t d = 0; d < dags; ++d) {
    constexpr std::array periods{2, 3, 4, 5, 6, 7, 8, 10, 12};
    const std::int64_t T = periods[below(periods.size())];
    const std::int64_t most = std::min<std::int64_t>(rest * T / 840, T);
    const std::int64_t C = d + 1 == dags ? most : std::min<std::int64_t>(most, 1 + static_cast<std::int64_t>(below(4)));
    rest -= (840 * C + T - 1) / T;
    analysis::path::Dag dag{"d" + std::to_string(d), Time(T * grid), {}, {}, {}};
    const auto add = [&](std::int64_t units, std::size_t pool) {
      analysis::path::Node node{pool, Time(units * grid), units * grid, units * grid, {}};
      node.priority = static_cast<std::uint32_t>(different ? d : below(2));
      dag.nodes.push_back(node);
    };
    if (below(3) == 0) {
      s.system.pools.push_back({"own" + std::to_string(d), analysis::path::Order::fifo, 1, 1, true});
      s.pools.push_back({SimulatedOrder::fifo, 1, 1});
      add(1 + static_cast<std::int64_t>(below(static_cast<std::size_t>(T))), s.system.pools.size() - 1);
      dag.edges.push_back({0, 1});
    }
    add(C, 0);
    s.pieces.emplace_back(dag.nodes.size());
    s.system.dags.push_back(std::move(dag));
  }
  return s;
}

/// Where the pool has one processor and no two DAGs have the same priority, T11j is classic response-time analysis.
inline bool check_classic(const RandomPathSystem& s, const analysis::path::NodeBounds& bounds) {
  if (s.system.pools[0].capacity != 1 || s.system.pools[0].equals_any) return false;
  std::vector<UrgentTask> tasks;
  std::set<std::uint32_t> priorities;
  for (const auto& dag : s.system.dags) {
    const auto& last = dag.nodes.back();
    tasks.push_back({.C = last.e.count(),
                     .T = dag.T.count(),
                     .A = dag.nodes.size() > 1 ? dag.nodes[0].e.count() : 0,
                     .F = 0,
                     .priority = last.priority});
    if (last.e == Time::zero() || tasks.back().A >= tasks.back().T) return false;  // its jobs may overtake one another
    priorities.insert(last.priority);
  }
  if (priorities.size() < tasks.size()) return false;
  for (std::size_t d = 0; d < tasks.size(); ++d) {
    const auto classic = classic_response_time(tasks, d);
    if (classic) CHECK(bounds.F[d].back().count() == *classic);
  }
  return true;
}

struct UrgentLawCounts {
  PathLawCounts laws;
  std::int64_t classic = 0;  // systems in which bounds were compared with classic analysis
};

inline void check_urgent_laws(std::uint64_t seed, int runs, UrgentLawCounts& counts) {
  using namespace analysis::path;
  CAPTURE(seed);
  const RandomPathSystem s = urgent_system(seed);
  Limits limits;
  limits.periods = 50;
  const auto plain = node_bounds(s.system, Refinement::T10n, limits);
  const auto late = node_bounds(s.system, Refinement::T10g, limits);
  if (plain) REQUIRE(late);
  if (!late) return;
  ++(plain ? counts.laws.bounded : counts.laws.only_T10j);
  for (std::size_t d = 0; plain && d < late->F.size(); ++d) {
    for (std::size_t v = 0; v < late->F[d].size(); ++v) CHECK(late->F[d][v] <= plain->F[d][v]);
  }
  if (check_classic(s, *late)) ++counts.classic;

  std::int64_t limit = 0;
  for (const auto& dag : s.system.dags) limit = std::max(limit, limits.periods * dag.T.count());
  std::array<std::optional<std::vector<std::vector<std::int64_t>>>, mutants> broken;
  const auto exact = PathOracle(s.system).nodes(limit, true);
  for (const Mutant mutant : T11j_mutants) broken[static_cast<std::size_t>(mutant)] = PathOracle(s.system, mutant).nodes(limit, true);

  RandomPaths random(seed);
  bool reached = false;
  std::array<bool, mutants> caught{};
  for (int run = 0; run < runs; ++run) {
    const auto latest = random.run(s);
    for (std::size_t d = 0; d < latest.size(); ++d) {
      for (std::size_t v = 0; v < latest[d].size(); ++v) {
        REQUIRE(latest[d][v] <= late->F[d][v].count());
        if (exact) REQUIRE(latest[d][v] <= (*exact)[d][v]);
        reached = reached || (latest.size() > 1 && v + 1 == latest[d].size() && latest[d][v] == late->F[d][v].count());
        for (std::size_t i = 0; i < broken.size(); ++i) caught[i] = caught[i] || (broken[i] && latest[d][v] > (*broken[i])[d][v]);
      }
    }
  }
  counts.laws.reached += reached ? 1 : 0;
  for (std::size_t i = 0; i < caught.size(); ++i) counts.laws.caught[i] += caught[i] ? 1 : 0;
}

}  // namespace rta::test
