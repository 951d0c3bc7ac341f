// Laws of T12 and of periods less the jitter, over random systems against an exact simulation.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "rta/analysis/path/path.hpp"
#include "support/late_releases.hpp"
#include "support/late_releases_oracle.hpp"

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

struct Compared {
  std::size_t systems = 0;
  std::size_t bounded = 0;
  std::size_t less = 0;  // where sums fall while ends rise both searches end at solutions, which may differ
  std::size_t more = 0;
};

void compare_with_oracle(const System& system, Refinement refinement, Compared& all) {
  const auto found = node_bounds(system, refinement, fifty_periods());
  const auto expected = late_releases::bounds(system, refinement, fifty_periods());
  ++all.systems;
  if (refinement <= Refinement::T10j) {
    REQUIRE(static_cast<bool>(found) == static_cast<bool>(expected));
    if (!found) return;
    ++all.bounded;
    CHECK(found->F == expected->F);
    CHECK(found->support == expected->support);
    return;
  }
  if (!found || !expected) {
    all.less += found ? 1 : 0;
    all.more += expected ? 1 : 0;
    return;
  }
  ++all.bounded;
  if (found->F == expected->F) return;
  const auto sum = [](const auto& F) {
    std::int64_t ns = 0;
    for (const auto& row : F) {
      for (const Time end : row) ns += end.count();
    }
    return ns;
  };
  ++(sum(found->F) <= sum(expected->F) ? all.less : all.more);
}

TEST_CASE("T12 and its kind are what the counts that explain bounds say node by node") {
  for (const Refinement refinement :
       {Refinement::T10n, Refinement::T10v, Refinement::T10j, Refinement::T10g, Refinement::T10d, Refinement::T10w}) {
    Compared all;
    for (std::uint64_t seed = 1; all.systems < 1'000; ++seed) {
      CAPTURE(seed);
      RandomPaths random(seed);
      std::mt19937_64 dice(seed);
      RandomPathSystem s = with_jitter(random, dice);
      if (seed % 4 == 0) release_late(s.system, seed);
      if (rta::analysis::path::has_release_jitter(s.system)) compare_with_oracle(s.system, refinement, all);
    }
    MESSAGE(static_cast<int>(refinement), ": ", all.bounded, " of ", all.systems, " bounded, less in ", all.less, ", more in ", all.more);
    CHECK(all.bounded > 100);
    CHECK(all.more <= all.systems / 100);
  }
}

TEST_CASE("T12 of many DAGs, whose jobs are counted together, is what the counts that explain bounds say") {
  Compared all;
  for (std::uint64_t seed = 1; all.systems < 60; ++seed) {
    CAPTURE(seed);
    RandomPathOptions options;
    options.most_dags = 60;
    System system = RandomPaths(seed).system(options).system;
    if (system.dags.size() < 33) continue;
    std::mt19937_64 dice(seed);
    const auto n = static_cast<std::int64_t>(system.dags.size());
    for (std::size_t d = 0; d < system.dags.size(); ++d) {
      auto& dag = system.dags[d];
      dag.T = Time(dag.T.count() * (1 + n / 2));
      if (d % 3 != 0) dag.Y = Time(dag.Y.count() * static_cast<std::int64_t>(d % 7) * n / 2);
      if (dice() % 2 == 0) dag.J = Time(static_cast<std::int64_t>(dice() % static_cast<std::uint64_t>(dag.T.count())));
    }
    compare_with_oracle(system, seed % 2 == 0 ? Refinement::T10n : Refinement::T10v, all);
  }
  CHECK(all.bounded > 30);
}
