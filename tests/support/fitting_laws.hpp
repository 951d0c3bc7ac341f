// The laws of T10p, T10w, and T12w and T12m over random systems, for the tests of every day and the long ones.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "analysis/path/chains/node_chains.hpp"
#include "analysis/path/chains/parallel.hpp"
#include "rta/analysis/path/derivations.hpp"
#include "support/fitting_oracle.hpp"
#include "support/inequality_laws.hpp"
#include "support/late_releases.hpp"

namespace rta::test {

struct FittingCounts {
  int bounded = 0;
  int only = 0;      // systems that nothing else bounds
  int parallel = 0;  // nodes by T10p
  int fitting = 0;   // nodes by T10w or T12w
  int families = 0;  // nodes by T10m or T12m
  int exact = 0;     // of these, as the oracle says; the others' paths share one waiting
  int reached = 0;   // systems in which some node ends exactly at its bound
  double share = 0;  // sum over `compared` nodes of the bound over that without the two theorems
  int compared = 0;
  std::array<int, fitting_mutants> caught{};  // systems in which the simulation breaks a mutant
};

/// As the product has them.
inline FittingOracle::Chains chains_of_system(const analysis::path::System& system) {
  using namespace analysis::path;
  const Ticks ticks = to_ticks(system, Limits{}, true);
  FittingOracle::Chains chains;
  for (std::size_t d = 0; d < system.dags.size(); ++d) {
    const Class& c = ticks.classes[ticks.class_of[d]];
    const ParallelPaths paths(c, system);
    auto& of_dag = chains.emplace_back();
    for (std::size_t i = 0; i < c.pools.size(); ++i) {
      std::vector<std::size_t> nodes;
      for (std::size_t u = 0; u < c.size(); ++u) {
        if (c.pool_of[u] == i && c.vol[u] > Tick::zero()) nodes.push_back(u);
      }
      const auto chain = analysis::path::chains_of(paths, nodes);
      const std::size_t first = of_dag.size();
      for (std::size_t j = 0; j < nodes.size(); ++j) {
        of_dag.resize(std::max<std::size_t>(of_dag.size(), first + chain[j] + 1));
        for (const std::size_t u : of_dag[first + chain[j]]) REQUIRE((paths.is_before(u, nodes[j]) || paths.is_before(nodes[j], u)));
        of_dag[first + chain[j]].push_back(nodes[j]);
      }
    }
  }
  return chains;
}

/// Up to three pools of every kind, short periods.
inline RandomPathSystem fitting_system(std::uint64_t seed) {
  RandomPaths random(seed);
  RandomPathOptions options;
  options.non_preemptive = seed % 4 == 0;
  options.by_node = seed % 3 == 0;
  options.fixed = seed % 3 != 0;
  options.most_dags = 4;
  return random.system(options);
}

/// Of processors alone, on which something is preempted or waits in a FIFO: what the oracle knows.
inline bool is_of_processors(const analysis::path::System& system) {
  using analysis::path::Order;
  const bool processors = std::ranges::all_of(system.pools, [](const analysis::path::Pool& pool) {
    return pool.unit_weights && pool.order != Order::fixed_non_preemptive && pool.order != Order::gel_non_preemptive;
  });
  return processors && std::ranges::all_of(system.dags, [](const auto& dag) {
           return std::ranges::all_of(dag.nodes, [](const auto& node) { return node.vol == node.s; });
         });
}

/// The mutant's ends below F: every iterate is above its least solution.
inline FittingOracle::Ends below(const FittingOracle& oracle, FittingOracle::Ends F) {
  for (int round = 0; round < 3; ++round) {
    for (std::size_t k = 0; k < F.size(); ++k) {
      for (std::size_t v = 0; v < F[k].size(); ++v) F[k][v] = std::min(F[k][v], oracle.right_hand_side(k, v, F));
    }
  }
  return F;
}

/// T23 and T24 may say more where other ends are earlier.
inline bool rests_on_visits(const analysis::path::NodeBounds& bounds) {
  return std::ranges::any_of(bounds.support,
                             [](const auto& of) { return std::ranges::find(of, analysis::path::Support::visit) != of.end(); });
}

/// Law 1 against `runs` simulations, law 2, derivations, and the oracle and `mutants` where they are asked for.
inline void check_fitting_laws(const RandomPathSystem& s, std::uint64_t seed, int runs, bool by_the_letter,
                               std::span<const FittingMutant> mutants, FittingCounts& counts) {
  using namespace analysis::path;
  CAPTURE(seed);
  by_the_letter = by_the_letter && is_of_processors(s.system);
  Limits limits;
  limits.periods = 20;
  const auto bounds = node_bounds(s.system, Refinement::T10w, limits);
  const auto plain = node_bounds(s.system, Refinement::T10g, limits);
  if (plain) REQUIRE(bounds);
  if (!bounds) return;
  ++counts.bounded;
  counts.only += plain ? 0 : 1;
  const auto chains = by_the_letter ? chains_of_system(s.system) : FittingOracle::Chains(s.system.dags.size());
  FittingOracle::Ends F;
  for (const auto& row : bounds->F) {
    auto& ends = F.emplace_back();
    for (const Time f : row) ends.push_back(f.count());
  }
  const FittingOracle exact(s.system, chains, FittingMutant::none, 1);
  const Derivations derivations(s.system, *bounds);
  for (std::size_t k = 0; k < F.size(); ++k) {
    for (std::size_t v = 0; v < F[k].size(); ++v) {
      if (plain && !rests_on_visits(*plain)) {
        CHECK(bounds->F[k][v] <= plain->F[k][v] + Time(2));  // T10g's and T10c's terms are rounded one by one
        counts.share += plain->F[k][v] > Time::zero() ? static_cast<double>(F[k][v]) / static_cast<double>(plain->F[k][v].count()) : 1;
        ++counts.compared;
      }
      if (bounds->support[k][v] == Support::parallel) {
        ++counts.parallel;
        check_inequality(derivations.of(k, v), bounds->F[k][v]);
      }
      if (bounds->support[k][v] == Support::families) {
        ++counts.families;
        check_inequality(derivations.of(k, v), bounds->F[k][v]);
      }
      if (bounds->support[k][v] != Support::fitting) continue;
      ++counts.fitting;
      const auto derivation = derivations.of(k, v);
      const std::int64_t total = analysis::ceil_to_time(derivation.total).count();
      check_inequality(derivation, bounds->F[k][v]);
      if (!by_the_letter) continue;
      const std::int64_t letter = exact.right_hand_side(k, v, F);
      REQUIRE(total >= letter);
      counts.exact += total <= letter + 1 ? 1 : 0;
    }
  }

  std::array<std::optional<FittingOracle::Ends>, fitting_mutants> broken;
  for (std::size_t i = 0; by_the_letter && i < mutants.size(); ++i) {
    const std::int64_t step = mutants[i] == FittingMutant::none ? 2 : grid;  // ends are whole, but need not be on the grid
    broken[static_cast<std::size_t>(mutants[i])] = below(FittingOracle(s.system, chains, mutants[i], step), F);
  }
  RandomPaths random(seed);
  bool reached = false;
  std::array<bool, fitting_mutants> caught{};
  for (int run = 0; run < runs; ++run) {
    const auto latest = random.run(s);
    for (std::size_t k = 0; k < latest.size(); ++k) {
      for (std::size_t v = 0; v < latest[k].size(); ++v) {
        REQUIRE(latest[k][v] <= F[k][v]);
        reached = reached || (latest.size() > 1 && latest[k][v] > 0 && latest[k][v] == F[k][v]);
        for (std::size_t i = 0; i < caught.size(); ++i) caught[i] = caught[i] || (broken[i] && latest[k][v] > (*broken[i])[k][v]);
      }
    }
  }
  counts.reached += reached ? 1 : 0;
  for (std::size_t i = 0; i < caught.size(); ++i) counts.caught[i] += caught[i] ? 1 : 0;
}

inline void check_fitting_laws(std::uint64_t seed, int runs, bool by_the_letter, FittingCounts& counts) {
  using enum FittingMutant;
  constexpr std::array mutants{none, one_chain, one_processor, shorter_window, no_own, no_own_jobs};
  check_fitting_laws(fitting_system(seed), seed, runs, by_the_letter, mutants, counts);
}

/// Likewise where releases are late.
inline constexpr std::array late_fitting_mutants{FittingMutant::none, FittingMutant::on_time, FittingMutant::ends_alone,
                                                 FittingMutant::own_on_time, FittingMutant::own_at_nominal};
inline void check_late_fitting_laws(std::uint64_t seed, int runs, bool by_the_letter, FittingCounts& counts) {
  RandomPathSystem s = fitting_system(seed);
  release_late(s.system, seed);
  if (!analysis::path::has_release_jitter(s.system)) return;
  check_fitting_laws(s, seed, runs, by_the_letter, late_fitting_mutants, counts);
}

}  // namespace rta::test
