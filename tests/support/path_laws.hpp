// The laws of the path bounds over random systems, for the tests of every day and the long ones.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "rta/analysis/path/derivations.hpp"
#include "rta/model/error.hpp"
#include "support/inequality_laws.hpp"
#include "support/path_oracle.hpp"
#include "support/random_path_system.hpp"

namespace rta::test {

inline constexpr std::size_t mutants = static_cast<std::size_t>(Mutant::urgent_own_in_order) + 1;

struct PathLawCounts {
  std::int64_t bounded = 0;                    // systems with a T10n bound
  std::int64_t only_T10j = 0;                  // systems with a T10j bound alone
  std::int64_t reached = 0;                    // systems of several DAGs in which some node ends exactly at its bound
  std::array<std::int64_t, mutants> caught{};  // systems in which the simulation breaks a mutant of T10n
};

/// Law 1 against the simulation, T10j <= T10n <= T10, and equality with the oracle, for one system.
inline void check_path_laws(std::uint64_t seed, int runs, PathLawCounts& counts) {
  using namespace analysis::path;
  CAPTURE(seed);
  RandomPaths random(seed);
  const RandomPathSystem s = random.system();
  Limits limits;
  limits.periods = 50;
  const auto whole = bounds(s.system, limits);
  const auto nodes = node_bounds(s.system, Refinement::T10n, limits);
  const auto late = node_bounds(s.system, Refinement::T10j, limits);
  if (whole) REQUIRE(nodes);
  if (nodes) REQUIRE(late);
  if (!late) return;
  ++(nodes ? counts.bounded : counts.only_T10j);

  std::int64_t limit = 0;
  for (const auto& dag : s.system.dags) limit = std::max(limit, limits.periods * dag.T.count());
  std::array<std::optional<std::vector<std::vector<std::int64_t>>>, mutants> broken;
  if (nodes) {
    const auto by_the_letter = PathOracle(s.system).nodes(limit);
    REQUIRE(by_the_letter);
    const Derivations reasons(s.system, *nodes);
    for (std::size_t d = 0; d < s.system.dags.size(); ++d) {
      if (whole) CHECK(nodes->R[d] <= whole->R[d]);
      for (std::size_t v = 0; v < nodes->F[d].size(); ++v) {
        CHECK(nodes->F[d][v].count() == (*by_the_letter)[d][v]);
        CHECK(late->F[d][v] <= nodes->F[d][v]);
        check_inequality(reasons.of(d, v), nodes->F[d][v]);
      }
    }
    for (const Mutant mutant : {Mutant::no_carry_in, Mutant::open_right_end, Mutant::last_piece_twice}) {
      broken[static_cast<std::size_t>(mutant)] = PathOracle(s.system, mutant, grid).nodes(limit);
    }
  }
  if (whole) {
    const auto by_the_letter = PathOracle(s.system).whole(limit);
    REQUIRE(by_the_letter);
    const Derivations reasons(s.system, *whole);
    for (std::size_t d = 0; d < s.system.dags.size(); ++d) {
      CHECK(whole->R[d].count() == (*by_the_letter)[d]);
      check_inequality(reasons.of(d), whole->R[d]);
    }
  }

  bool reached = false;
  std::array<bool, mutants> caught{};
  for (int run = 0; run < runs; ++run) {
    const auto latest = random.run(s);
    for (std::size_t d = 0; d < latest.size(); ++d) {
      for (std::size_t v = 0; v < latest[d].size(); ++v) {
        REQUIRE(latest[d][v] <= late->F[d][v].count());
        if (whole) REQUIRE(latest[d][v] <= whole->R[d].count());
        if (!nodes) continue;
        reached = reached || (latest.size() > 1 && latest[d][v] > 0 && latest[d][v] == nodes->F[d][v].count());
        for (std::size_t i = 0; i < broken.size(); ++i) caught[i] = caught[i] || (broken[i] && latest[d][v] > (*broken[i])[d][v]);
      }
    }
  }
  counts.reached += reached ? 1 : 0;
  for (std::size_t i = 0; i < caught.size(); ++i) counts.caught[i] += caught[i] ? 1 : 0;
}

/// The same for systems with points per node: law 1, T10g <= T10n, and T10n's equality with the oracle.
inline void check_laws_by_node(std::uint64_t seed, int runs, PathLawCounts& counts) {
  using namespace analysis::path;
  CAPTURE(seed);
  RandomPaths random(seed);
  RandomPathOptions options;
  options.by_node = true;
  options.most_dags = 4;
  const RandomPathSystem s = random.system(options);
  const auto by_node = [](const analysis::path::Pool& pool) { return pool.order == Order::gel_by_node; };
  if (std::none_of(s.system.pools.begin(), s.system.pools.end(), by_node)) return;
  Limits limits;
  limits.periods = 50;
  CHECK_THROWS_AS((void)bounds(s.system, limits), Defect);
  const auto nodes = node_bounds(s.system, Refinement::T10n, limits);
  const auto late = node_bounds(s.system, Refinement::T10g, limits);
  if (nodes) REQUIRE(late);
  if (!late) return;
  ++(nodes ? counts.bounded : counts.only_T10j);

  std::int64_t limit = 0;
  for (const auto& dag : s.system.dags) limit = std::max(limit, limits.periods * dag.T.count());
  using Ends = std::optional<std::vector<std::vector<std::int64_t>>>;
  std::array<Ends, mutants> broken;
  const auto exact = PathOracle(s.system).nodes(limit, true);
  for (const Mutant mutant : {Mutant::no_carry_in, Mutant::no_jitter, Mutant::no_lead}) {
    broken[static_cast<std::size_t>(mutant)] = PathOracle(s.system, mutant, grid).nodes(limit, true);
  }
  if (nodes) {
    const auto by_the_letter = PathOracle(s.system).nodes(limit);
    REQUIRE(by_the_letter);
    const Derivations reasons(s.system, *nodes);
    for (std::size_t d = 0; d < s.system.dags.size(); ++d) {
      for (std::size_t v = 0; v < nodes->F[d].size(); ++v) {
        CHECK(nodes->F[d][v].count() == (*by_the_letter)[d][v]);
        CHECK(late->F[d][v] <= nodes->F[d][v]);
        check_inequality(reasons.of(d, v), nodes->F[d][v]);
      }
    }
    broken[static_cast<std::size_t>(Mutant::last_node_alone)] = PathOracle(s.system, Mutant::last_node_alone, grid).nodes(limit);
  }

  bool reached = false;
  std::array<bool, mutants> caught{};
  for (int run = 0; run < runs; ++run) {
    const auto latest = random.run(s);
    for (std::size_t d = 0; d < latest.size(); ++d) {
      for (std::size_t v = 0; v < latest[d].size(); ++v) {
        REQUIRE(latest[d][v] <= late->F[d][v].count());
        if (exact) REQUIRE(latest[d][v] <= (*exact)[d][v]);
        reached = reached || (latest.size() > 1 && latest[d][v] > 0 && latest[d][v] == late->F[d][v].count());
        for (std::size_t i = 0; i < broken.size(); ++i) caught[i] = caught[i] || (broken[i] && latest[d][v] > (*broken[i])[d][v]);
      }
    }
  }
  counts.reached += reached ? 1 : 0;
  for (std::size_t i = 0; i < caught.size(); ++i) counts.caught[i] += caught[i] ? 1 : 0;
}

/// Times `factor`.
inline analysis::path::System scaled(analysis::path::System system, std::int64_t factor) {
  for (auto& dag : system.dags) {
    dag.T = Time(dag.T.count() * factor);
    dag.Y = Time(dag.Y.count() * factor);
    for (auto& node : dag.nodes) {
      node.e = Time(node.e.count() * factor);
      node.s *= factor;
      node.vol *= factor;
    }
  }
  return system;
}

/// The mutants that a search over these systems breaks.
inline constexpr std::array T11_mutants{Mutant::no_carry_in,           Mutant::no_later_own_jobs, Mutant::last_node_alone,
                                        Mutant::no_blocking,           Mutant::one_piece_less,    Mutant::blocked_once_per_path,
                                        Mutant::ready_for_less_urgent, Mutant::pays_for_last};

/// T11 and T11b on systems with pools under fixed priorities: law 1 for all refinements, law 2, law 5, and equality with the oracle.
inline void check_laws_by_priority(std::uint64_t seed, int runs, PathLawCounts& counts) {
  using namespace analysis::path;
  CAPTURE(seed);
  RandomPaths random(seed);
  RandomPathOptions options;
  options.fixed = true;
  options.most_dags = 4;
  const RandomPathSystem s = random.system(options);
  const auto fixed = [&](const analysis::path::Node& node) { return by_fixed_priority(s.system.pools[node.pool].order); };
  if (std::ranges::none_of(s.system.dags, [&](const auto& dag) { return std::ranges::any_of(dag.nodes, fixed); })) return;
  Limits limits;
  limits.periods = 50;
  CHECK_THROWS_AS((void)bounds(s.system, limits), Defect);
  const auto nodes = node_bounds(s.system, Refinement::T10n, limits);
  const auto aligned = node_bounds(s.system, Refinement::T10v, limits);
  const auto late = node_bounds(s.system, Refinement::T10g, limits);
  if (nodes) REQUIRE(aligned);
  if (aligned) REQUIRE(late);
  if (!late) return;
  ++(nodes ? counts.bounded : counts.only_T10j);

  std::int64_t limit = 0;
  for (const auto& dag : s.system.dags) limit = std::max(limit, limits.periods * dag.T.count());
  std::array<std::optional<std::vector<std::vector<std::int64_t>>>, mutants> broken;
  if (nodes) {
    const auto by_the_letter = PathOracle(s.system).nodes(limit);
    REQUIRE(by_the_letter);
    const Derivations reasons(s.system, *nodes);
    const auto thrice = node_bounds(scaled(s.system, 3), Refinement::T10n, limits);
    REQUIRE(thrice);
    const bool exact = std::ranges::all_of(s.system.pools, &analysis::path::Pool::unit_weights);
    for (std::size_t d = 0; d < s.system.dags.size(); ++d) {
      for (std::size_t v = 0; v < nodes->F[d].size(); ++v) {
        CHECK(nodes->F[d][v].count() == (*by_the_letter)[d][v]);
        CHECK(aligned->F[d][v] <= nodes->F[d][v]);
        CHECK(late->F[d][v] <= aligned->F[d][v]);
        CHECK(thrice->F[d][v].count() <= 3 * nodes->F[d][v].count());
        if (exact) CHECK(thrice->F[d][v].count() == 3 * nodes->F[d][v].count());
        check_inequality(reasons.of(d, v), nodes->F[d][v]);
        const Support support = nodes->support[d][v];
        if (fixed(s.system.dags[d].nodes[v])) CHECK((support == Support::fixed || support == Support::successor));
      }
    }
    for (const Mutant mutant : T11_mutants) broken[static_cast<std::size_t>(mutant)] = PathOracle(s.system, mutant, grid).nodes(limit);
  }

  bool reached = false;
  std::array<bool, mutants> caught{};
  for (int run = 0; run < runs; ++run) {
    const auto latest = random.run(s);
    for (std::size_t d = 0; d < latest.size(); ++d) {
      for (std::size_t v = 0; v < latest[d].size(); ++v) {
        REQUIRE(latest[d][v] <= late->F[d][v].count());
        if (!nodes) continue;
        reached = reached || (latest.size() > 1 && latest[d][v] > 0 && latest[d][v] == nodes->F[d][v].count());
        for (std::size_t i = 0; i < broken.size(); ++i) caught[i] = caught[i] || (broken[i] && latest[d][v] > (*broken[i])[d][v]);
      }
    }
  }
  counts.reached += reached ? 1 : 0;
  for (std::size_t i = 0; i < caught.size(); ++i) counts.caught[i] += caught[i] ? 1 : 0;
}

}  // namespace rta::test
