// The laws of T23 and T24 over random systems, for the tests of every day and the long ones.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "rta/analysis/path/derivations.hpp"
#include "rta/analysis/path/path.hpp"
#include "support/inequality_laws.hpp"
#include "support/random_path_system.hpp"
#include "support/running_oracle.hpp"
#include "support/under_way_oracle.hpp"
#include "support/visit_oracle.hpp"

namespace rta::test {

struct VisitCounts {
  int bounded = 0;
  int visits = 0;                           // nodes by T23
  int coarser = 0;                          // of these, for which the product counts more than the letter: fronts by a cover of chains
  int alone = 0;                            // systems that T23 alone bounds
  int unbounded = 0;                        // of these, those that the product does not bound
  int reached = 0;                          // systems in which some node ends exactly where T23 alone says
  std::array<int, visit_mutants> caught{};  // systems in which the simulation breaks a mutant
};

struct RunningCounts {
  int bounded = 0;
  int running = 0;                            // nodes by T24
  int alone = 0;                              // systems that T24 alone bounds
  int reached = 0;                            // systems in which some node ends exactly where T24 alone says
  std::array<int, running_mutants> caught{};  // systems in which the simulation breaks a mutant
};

struct UnderWayCounts {
  int bounded = 0;
  int under_way = 0;                            // nodes by T10f
  int alone = 0;                                // systems that T10f alone bounds
  int reached = 0;                              // systems in which some node ends exactly where T10f alone says
  std::array<int, under_way_mutants> caught{};  // systems in which the simulation breaks a mutant
};

inline void know_alone(RandomPathSystem& s) {
  for (std::size_t d = 0; d < s.system.dags.size(); ++d) {
    for (std::size_t v = 0; v < s.system.dags[d].nodes.size(); ++v) {
      auto& node = s.system.dags[d].nodes[v];
      const SimulatedPool& pool = s.pools[node.pool];
      const auto places = static_cast<std::int64_t>(pool.capacity) * (pool.threads / s.pieces[d][v].threads);
      if (pool.order == SimulatedOrder::gpu || pool.order == SimulatedOrder::fifo)
        node.alone = node.e * ((s.pieces[d][v].count + places - 1) / places);
    }
  }
}

/// Upwards alone, to where every inequality holds; `F`: other bounds, of which each node may rest on its own. Nothing where it is not
/// found.
template <class Oracle>
std::optional<VisitOracle::Ends> visits_from_below(const analysis::path::System& system, const Oracle& oracle, const VisitOracle::Ends* F) {
  VisitOracle::Ends ends;
  for (const auto& dag : system.dags) {
    auto& row = ends.emplace_back();
    for (const auto& node : dag.nodes) row.push_back(node.e.count());
  }
  for (int round = 0; round < 200; ++round) {
    bool changed = false;
    for (std::size_t k = 0; k < ends.size(); ++k) {
      for (std::size_t v = 0; v < ends[k].size(); ++v) {
        std::int64_t next = oracle.applies(k, v) ? oracle.right_hand_side(k, v, ends) : (*F)[k][v];
        if (F != nullptr) next = std::min(next, (*F)[k][v]);
        if (next <= ends[k][v]) continue;
        if (next > 20 * system.dags[k].T.count()) return std::nullopt;
        ends[k][v] = next;
        changed = true;
      }
    }
    if (!changed) return ends;
  }
  return std::nullopt;
}

/// Law 1 against `runs` simulations of the product's bounds and of T23 alone; derivations and the oracle; mutants.
inline void check_visit_laws(std::uint64_t seed, int runs, VisitCounts& counts, bool queues_alone) {
  using namespace analysis::path;
  CAPTURE(seed);
  RandomPathOptions options;
  options.non_preemptive = seed % 8 == 0;
  options.fixed = !queues_alone && seed % 5 == 0;
  options.most_dags = 4;
  options.most_nodes = 6;
  RandomPathSystem s = RandomPaths(seed).system(options);
  if (queues_alone && !std::ranges::all_of(s.system.pools, [](const auto& pool) { return pool.order == Order::fifo; })) return;
  know_alone(s);
  Limits limits;
  limits.periods = 20;
  const auto bounds = node_bounds(s.system, Refinement::T10g, limits);
  const VisitOracle exact(s.system, VisitMutant::none);
  std::optional<VisitOracle::Ends> alone;
  if (queues_alone) alone = visits_from_below(s.system, exact, nullptr);
  // By their weights kernels may be too much for a GPU on which they fit one after the other.
  if (alone && std::ranges::all_of(s.system.pools, [](const auto& pool) { return pool.unit_weights; })) counts.unbounded += bounds ? 0 : 1;
  if (!bounds) return;
  ++counts.bounded;
  counts.alone += alone ? 1 : 0;
  VisitOracle::Ends F;
  for (const auto& row : bounds->F) {
    auto& ends = F.emplace_back();
    for (const Time f : row) ends.push_back(f.count());
  }
  const Derivations derivations(s.system, *bounds);
  for (std::size_t k = 0; k < F.size(); ++k) {
    for (std::size_t v = 0; v < F[k].size(); ++v) {
      if (bounds->support[k][v] != Support::visit || !exact.applies(k, v)) continue;
      ++counts.visits;
      const auto derivation = derivations.of(k, v);
      check_inequality(derivation, bounds->F[k][v]);
      const std::int64_t letter = exact.right_hand_side(k, v, F);
      const std::int64_t total = analysis::ceil_to_time(derivation.total).count();
      CHECK(total >= letter);
      counts.coarser += total > letter + 1 ? 1 : 0;
    }
  }
  std::array<std::optional<VisitOracle::Ends>, visit_mutants> broken;
  for (std::size_t i = 0; queues_alone && i < visit_mutants; ++i)
    broken[i] = visits_from_below(s.system, VisitOracle(s.system, static_cast<VisitMutant>(i)), &F);
  RandomPaths random(seed);
  bool reached = false;
  std::array<bool, visit_mutants> caught{};
  for (int run = 0; run < runs; ++run) {
    const auto latest = random.run(s);
    for (std::size_t k = 0; k < latest.size(); ++k) {
      for (std::size_t v = 0; v < latest[k].size(); ++v) {
        REQUIRE(latest[k][v] <= F[k][v]);
        if (alone) REQUIRE(latest[k][v] <= (*alone)[k][v] + 1);  // the oracle's w is whole
        reached = reached || (alone && latest.size() > 1 && latest[k][v] > 0 && latest[k][v] == (*alone)[k][v]);
        for (std::size_t i = 0; i < caught.size(); ++i) caught[i] = caught[i] || (broken[i] && latest[k][v] > (*broken[i])[k][v] + 1);
      }
    }
  }
  counts.reached += reached ? 1 : 0;
  for (std::size_t i = 0; i < caught.size(); ++i) counts.caught[i] += caught[i] ? 1 : 0;
}

/// Of T10f, on FIFO pools alone: law 1 against `runs` simulations of the product's bounds and of T10f by the letter alone; derivations;
/// mutants.
inline void check_under_way_laws(std::uint64_t seed, int runs, UnderWayCounts& counts) {
  using namespace analysis::path;
  CAPTURE(seed);
  RandomPathOptions options;
  options.non_preemptive = false;
  options.fixed = false;
  options.most_dags = 4;
  options.most_nodes = 6;
  RandomPathSystem s = RandomPaths(seed).system(options);
  if (!std::ranges::all_of(s.system.pools, [](const auto& pool) { return pool.order == Order::fifo; })) return;
  if (seed % 4 == 0) s.system.dags.front().nodes.back().e = Time(0);
  if (seed % 4 == 0) s.system.dags.front().nodes.back().s = s.system.dags.front().nodes.back().vol = 0;
  know_alone(s);
  Limits limits;
  limits.periods = 20;
  const auto bounds = node_bounds(s.system, Refinement::T10g, limits);
  const auto alone = visits_from_below(s.system, UnderWayOracle(s.system, UnderWayMutant::none), nullptr);
  if (!bounds) return;
  ++counts.bounded;
  counts.alone += alone ? 1 : 0;
  UnderWayOracle::Ends F;
  for (const auto& row : bounds->F) {
    auto& ends = F.emplace_back();
    for (const Time f : row) ends.push_back(f.count());
  }
  const Derivations derivations(s.system, *bounds);
  for (std::size_t k = 0; k < F.size(); ++k) {
    for (std::size_t v = 0; v < F[k].size(); ++v) {
      if (bounds->support[k][v] != Support::under_way) continue;
      ++counts.under_way;
      const auto derivation = derivations.of(k, v);
      CHECK(derivation.theorem == analysis::Theorem::T10f);
      check_inequality(derivation, bounds->F[k][v], Time(8));
    }
  }
  std::array<std::optional<UnderWayOracle::Ends>, under_way_mutants> broken;
  for (std::size_t i = 0; i < under_way_mutants; ++i)
    broken[i] = visits_from_below(s.system, UnderWayOracle(s.system, static_cast<UnderWayMutant>(i)), &F);
  RandomPaths random(seed);
  bool reached = false;
  std::array<bool, under_way_mutants> caught{};
  for (int run = 0; run < runs; ++run) {
    const auto latest = random.run(s);
    for (std::size_t k = 0; k < latest.size(); ++k) {
      for (std::size_t v = 0; v < latest[k].size(); ++v) {
        REQUIRE(latest[k][v] <= F[k][v]);
        if (alone) REQUIRE(latest[k][v] <= (*alone)[k][v]);
        reached = reached || (alone && latest.size() > 1 && latest[k][v] > 0 && latest[k][v] == (*alone)[k][v]);
        for (std::size_t i = 0; i < caught.size(); ++i) caught[i] = caught[i] || (broken[i] && latest[k][v] > (*broken[i])[k][v]);
      }
    }
  }
  counts.reached += reached ? 1 : 0;
  for (std::size_t i = 0; i < caught.size(); ++i) counts.caught[i] += caught[i] ? 1 : 0;
}

/// Of T24, on preemptive pools alone: law 1 against `runs` simulations of the product's bounds and of T24 alone; derivations and the
/// oracle; mutants.
inline void check_running_laws(std::uint64_t seed, int runs, RunningCounts& counts) {
  using namespace analysis::path;
  CAPTURE(seed);
  RandomPathOptions options;
  options.non_preemptive = false;
  options.fixed = seed % 2 == 0;
  options.most_dags = 4;
  options.most_nodes = 6;
  const RandomPathSystem s = RandomPaths(seed).system(options);
  const auto is_for = [](const auto& pool) { return pool.order == Order::gel || pool.order == Order::fixed; };
  if (!std::ranges::all_of(s.system.pools, is_for)) return;
  Limits limits;
  limits.periods = 20;
  const auto bounds = node_bounds(s.system, Refinement::T10g, limits);
  const RunningOracle exact(s.system, RunningMutant::none);
  const auto alone = visits_from_below(s.system, exact, nullptr);  // the product asks for it where jobs may overlap
  if (!bounds) return;
  ++counts.bounded;
  counts.alone += alone ? 1 : 0;
  RunningOracle::Ends F;
  for (const auto& row : bounds->F) {
    auto& ends = F.emplace_back();
    for (const Time f : row) ends.push_back(f.count());
  }
  const Derivations derivations(s.system, *bounds);
  for (std::size_t k = 0; k < F.size(); ++k) {
    for (std::size_t v = 0; v < F[k].size(); ++v) {
      if (bounds->support[k][v] != Support::visit) continue;
      ++counts.running;
      const auto derivation = derivations.of(k, v);
      check_inequality(derivation, bounds->F[k][v]);
      const std::int64_t letter = exact.right_hand_side(k, v, F);
      const std::int64_t total = analysis::ceil_to_time(derivation.total).count();
      CHECK(total >= letter);
      CHECK(total <= letter + 1);
    }
  }
  std::array<std::optional<RunningOracle::Ends>, running_mutants> broken;
  for (std::size_t i = 0; i < running_mutants; ++i)
    broken[i] = visits_from_below(s.system, RunningOracle(s.system, static_cast<RunningMutant>(i)), &F);
  RandomPaths random(seed);
  bool reached = false;
  std::array<bool, running_mutants> caught{};
  for (int run = 0; run < runs; ++run) {
    const auto latest = random.run(s);
    for (std::size_t k = 0; k < latest.size(); ++k) {
      for (std::size_t v = 0; v < latest[k].size(); ++v) {
        REQUIRE(latest[k][v] <= F[k][v]);
        if (alone) REQUIRE(latest[k][v] <= (*alone)[k][v] + 1);
        reached = reached || (alone && latest.size() > 1 && latest[k][v] > 0 && latest[k][v] == (*alone)[k][v]);
        for (std::size_t i = 0; i < caught.size(); ++i) caught[i] = caught[i] || (broken[i] && latest[k][v] > (*broken[i])[k][v] + 1);
      }
    }
  }
  counts.reached += reached ? 1 : 0;
  for (std::size_t i = 0; i < caught.size(); ++i) counts.caught[i] += caught[i] ? 1 : 0;
}

}  // namespace rta::test
