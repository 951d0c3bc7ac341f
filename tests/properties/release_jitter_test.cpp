// Laws of T12 and of periods less the jitter, over random systems against an exact simulation.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "analysis/path/path_release_jitter.hpp"
#include "support/late_releases.hpp"

namespace {

using namespace rta::test;
using rta::Time;
using rta::analysis::path::Limits;
using rta::analysis::path::node_bounds;
using rta::analysis::path::Refinement;
using rta::analysis::path::System;

using Ends = std::optional<std::vector<std::vector<Time>>>;

Limits fifty_periods() {
  Limits limits;
  limits.periods = 50;
  return limits;
}

Ends ends(const System& system, Refinement refinement = Refinement::T10n) {
  const auto bounds = node_bounds(system, refinement, fifty_periods());
  return bounds ? Ends(bounds->F) : std::nullopt;
}

bool above(const std::vector<std::vector<std::int64_t>>& seen, const Ends& F, std::optional<std::size_t> only = std::nullopt) {
  for (std::size_t d = 0; F && d < seen.size(); ++d) {
    if (only && *only != d) continue;
    for (std::size_t v = 0; v < seen[d].size(); ++v) {
      if (seen[d][v] > (*F)[d][v].count()) return true;
    }
  }
  return false;
}

System without_jitter(System system) {
  for (auto& dag : system.dags) dag.J = Time::zero();
  return system;
}

}  // namespace

TEST_CASE("Law T12: 2,000 random systems with jitter never exceed it, nor bounds with T - J; without the jitter bounds are exceeded") {
  std::size_t bounded = 0, sporadic_bounded = 0, sharper = 0, reached = 0, forgotten = 0, own_forgotten = 0;
  for (std::uint64_t seed = 1; bounded < 2'000; ++seed) {
    CAPTURE(seed);
    RandomPaths random(seed);
    std::mt19937_64 dice(seed);
    const RandomPathSystem s = with_jitter(random, dice);
    System closer = without_jitter(s.system);
    for (std::size_t d = 0; d < closer.dags.size(); ++d) closer.dags[d].T -= s.system.dags[d].J;
    const Ends counted = has_release_jitter(s.system) ? ends(s.system) : std::nullopt;
    const Ends sporadic = ends(closer, Refinement::T10g);
    if (!counted && !sporadic) continue;
    bounded += static_cast<std::size_t>(counted.has_value());
    sporadic_bounded += static_cast<std::size_t>(sporadic.has_value());
    sharper += static_cast<std::size_t>(counted && (!sporadic || *counted < *sporadic));
    const Ends broken = ends(without_jitter(s.system));
    System own = s.system;
    const std::size_t k = static_cast<std::size_t>(dice() % own.dags.size());
    own.dags[k].J = Time::zero();
    const Ends own_broken = s.system.dags[k].J > Time::zero() ? ends(own) : std::nullopt;
    bool is_reached = false, is_forgotten = false, is_own_forgotten = false;
    for (int run = 0; run < 12; ++run) {
      const auto seen = random.run(s);
      REQUIRE_FALSE(above(seen, counted));
      REQUIRE_FALSE(above(seen, sporadic));
      is_forgotten = is_forgotten || above(seen, broken);
      is_own_forgotten = is_own_forgotten || above(seen, own_broken, k);
      for (std::size_t d = 0; counted && d < seen.size() && seen.size() > 1; ++d) {
        for (std::size_t v = 0; v < seen[d].size(); ++v) {
          is_reached = is_reached || (seen[d][v] > 0 && seen[d][v] == (*counted)[d][v].count());
        }
      }
    }
    reached += static_cast<std::size_t>(is_reached);
    forgotten += static_cast<std::size_t>(is_forgotten);
    own_forgotten += static_cast<std::size_t>(is_own_forgotten);
  }
  MESSAGE("T12 in ", bounded, ", T - J in ", sporadic_bounded, ", T12 sharper in ", sharper, ", reached in ", reached,
          "; caught without jitter ", forgotten, ", without one DAG's ", own_forgotten);
  CHECK(sporadic_bounded > 500);
  CHECK(sharper > 100);
  CHECK(reached > 100);
  CHECK(forgotten > 20);
  CHECK(own_forgotten > 2);
}

TEST_CASE("T12 without jitter is T10n and T11, which may be sharpened further") {
  std::size_t compared = 0, same = 0;
  for (std::uint64_t seed = 1; compared < 300; ++seed) {
    CAPTURE(seed);
    RandomPaths random(seed);
    std::mt19937_64 dice(seed);
    const System system = without_jitter(with_jitter(random, dice).system);
    const auto plain = node_bounds(system, Refinement::T10n, fifty_periods());
    const auto by_sums = rta::analysis::path::bounds_with_release_jitter(system, Refinement::T10n, fifty_periods());
    if (by_sums) REQUIRE(plain);
    if (!by_sums) continue;
    ++compared;
    for (std::size_t d = 0; d < system.dags.size(); ++d) CHECK(plain->R[d] <= by_sums->R[d]);
    same += static_cast<std::size_t>(plain->R == by_sums->R);
  }
  CHECK(same > 0);
}
