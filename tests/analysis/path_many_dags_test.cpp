// Sums that all DAGs of a system share, against the theorems by the letter.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>

#include "analysis/path/path_deciding.hpp"
#include "analysis/path/system/preceding.hpp"
#include "rta/analysis/path/path.hpp"
#include "support/path_oracle.hpp"
#include "support/random_path_system.hpp"

namespace {

using namespace rta::analysis::path;
using rta::Time;
using rta::test::PathOracle;
using rta::test::RandomPathOptions;
using rta::test::RandomPaths;

/// Some dozens of DAGs on pools that they do not overload; points after, at and long before the next release.
System many_dags(std::uint64_t seed) {
  RandomPathOptions options;
  options.most_dags = 90;
  System system = RandomPaths(seed).system(options).system;
  const auto n = static_cast<std::int64_t>(system.dags.size());
  for (std::size_t d = 0; d < system.dags.size(); ++d) {
    Dag& dag = system.dags[d];
    dag.T = Time(dag.T.count() * (1 + n / 2));
    if (d % 3 != 0) dag.Y = Time(dag.Y.count() * static_cast<std::int64_t>(d % 7) * n / 2);
  }
  return system;
}

bool is_counted_at_once(const System& system) {
  const Ticks ticks = to_ticks(system, Limits{}, true);
  for (std::size_t p = 0; p < system.pools.size(); ++p) {
    const bool gel = system.pools[p].order == Order::gel || system.pools[p].order == Order::gel_non_preemptive;
    if (gel && PrecedingWork(ticks, p).is_quicker()) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("the work that precedes, counted for all DAGs at once, gives T10n's bounds by the letter") {
  int counted = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const System system = many_dags(seed);
    if (!is_counted_at_once(system)) continue;
    Limits limits;
    limits.periods = 20;
    const auto bounds = node_bounds(system, Refinement::T10n, limits);
    if (!bounds) continue;
    std::int64_t limit = 0;
    for (const Dag& dag : system.dags) limit = std::max(limit, limits.periods * dag.T.count());
    const auto by_the_letter = PathOracle(system).nodes(limit);
    REQUIRE(by_the_letter);
    for (std::size_t d = 0; d < system.dags.size(); ++d) {
      for (std::size_t v = 0; v < bounds->F[d].size(); ++v) CHECK(bounds->F[d][v].count() == (*by_the_letter)[d][v]);
    }
    ++counted;
  }
  CHECK(counted >= 10);
}

TEST_CASE("a path that decides is the one of the inequality by the letter, whatever the pools' order") {
  int paths = 0;
  int of_several = 0;
  const auto check = [&](const System& system, Refinement refinement) {
    const auto bounds = node_bounds(system, refinement);
    if (!bounds) return;
    REQUIRE(DecidingPaths::applies(system));
    const DecidingPaths deciding(system, *bounds);
    const Derivations by_the_letter(system, *bounds);
    for (std::size_t d = 0; d < system.dags.size(); ++d) {
      for (std::size_t v = 0; v < system.dags[d].nodes.size(); ++v) {
        const auto path = deciding.to(d, v);
        CHECK(path == by_the_letter.of(d, v).path);
        ++paths;
        of_several += path.size() > 1 ? 1 : 0;
      }
    }
  };
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    RandomPathOptions options;
    options.by_node = seed % 3 == 1;
    options.fixed = seed % 3 == 2;
    check(RandomPaths(seed).system(options).system, seed % 2 == 0 ? Refinement::T10n : Refinement::T10g);
  }
  for (std::uint64_t seed = 1; seed <= 20; ++seed) check(many_dags(seed), Refinement::T10n);
  CHECK(paths > 1000);
  CHECK(of_several > 300);
}
