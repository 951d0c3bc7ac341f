// Laws of T12j over random systems with release jitter, against an exact simulation and the theorem by the letter.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "rta/analysis/path/derivations.hpp"
#include "support/inequality_laws.hpp"
#include "support/late_releases.hpp"
#include "support/late_sums_oracle.hpp"

namespace {

using namespace rta::test;
using namespace rta::analysis::path;
using rta::Time;

/// Below F, as low as the mutant allows: no solution of it lies above.
LateSumsOracle::Ends lowered(const System& system, LateMutant mutant, LateSumsOracle::Ends F) {
  const LateSumsOracle oracle(system, mutant);
  for (int round = 0; round < 4; ++round) {
    for (std::size_t k = 0; k < F.size(); ++k) {
      for (std::size_t v = 0; v < F[k].size(); ++v) F[k][v] = std::min(F[k][v], oracle.right_hand_side(k, v, F).value_or(F[k][v]));
    }
  }
  return F;
}

struct Counts {
  int bounded = 0;
  int only = 0;  // systems that have no bound without it
  int late = 0;  // nodes
  int exact = 0;
  int reached = 0;
  std::array<int, late_mutants> caught{};
};

void check_bounds(const RandomPathSystem& s, const NodeBounds& bounds, const LateSumsOracle::Ends& F, Counts& counts) {
  const LateSumsOracle letter(s.system, LateMutant::none);
  const Derivations derivations(s.system, bounds);
  for (std::size_t k = 0; k < F.size(); ++k) {
    for (std::size_t v = 0; v < F[k].size(); ++v) {
      if (bounds.support[k][v] != Support::late) continue;
      ++counts.late;
      const auto derivation = derivations.of(k, v);
      const std::int64_t total = rta::analysis::ceil_to_time(derivation.total).count();
      rta::test::check_inequality(derivation, bounds.F[k][v]);
      const auto exact = letter.right_hand_side(k, v, F);
      REQUIRE(exact);
      CHECK(total >= *exact);
      counts.exact += total == *exact ? 1 : 0;
    }
  }
}

}  // namespace

TEST_CASE("Law T12j: random systems with jitter never exceed it, it is never above T12, and broken ones are caught") {
  Counts counts;
  for (std::uint64_t seed = 1; counts.bounded < 1'500; ++seed) {
    CAPTURE(seed);
    RandomPaths random(seed);
    std::mt19937_64 dice(seed);
    const RandomPathSystem s = with_jitter(random, dice);
    if (!has_release_jitter(s.system)) continue;
    Limits limits;
    limits.periods = 50;
    const auto plain = node_bounds(s.system, Refinement::T10n, limits);
    const auto bounds = node_bounds(s.system, Refinement::T10g, limits);
    if (plain) REQUIRE(bounds);
    if (!bounds) continue;
    ++counts.bounded;
    counts.only += plain ? 0 : 1;
    LateSumsOracle::Ends F;
    for (const auto& row : bounds->F) {
      auto& ends = F.emplace_back();
      for (const Time f : row) ends.push_back(f.count());
    }
    for (std::size_t k = 0; plain && k < F.size(); ++k) {
      for (std::size_t v = 0; v < F[k].size(); ++v) CHECK(F[k][v] <= plain->F[k][v].count());
    }
    check_bounds(s, *bounds, F, counts);

    std::array<LateSumsOracle::Ends, late_mutants> broken;
    for (std::size_t i = 0; i < late_mutants; ++i) broken[i] = lowered(s.system, static_cast<LateMutant>(i), F);
    std::array<bool, late_mutants> caught{};
    bool reached = false;
    for (int run = 0; run < 12; ++run) {
      const auto latest = random.run(s);
      for (std::size_t k = 0; k < latest.size(); ++k) {
        for (std::size_t v = 0; v < latest[k].size(); ++v) {
          REQUIRE(latest[k][v] <= F[k][v]);
          reached = reached || (bounds->support[k][v] == Support::late && latest[k][v] > 0 && latest[k][v] == F[k][v]);
          for (std::size_t i = 0; i < late_mutants; ++i) caught[i] = caught[i] || latest[k][v] > broken[i][k][v];
        }
      }
    }
    counts.reached += reached ? 1 : 0;
    for (std::size_t i = 0; i < late_mutants; ++i) counts.caught[i] += caught[i] ? 1 : 0;
  }
  MESSAGE(counts.bounded, " systems, ", counts.only, " by it alone; ", counts.late, " nodes by T12j, ", counts.exact,
          " as by the letter; reached in ", counts.reached);
  for (const int caught : counts.caught) MESSAGE("caught in ", caught);
  CHECK(counts.only > 50);
  CHECK(counts.late > 500);
  CHECK(counts.exact > counts.late / 2);
  CHECK(counts.reached > 10);
  CHECK(counts.caught[0] == 0);
  for (std::size_t i = 1; i < late_mutants; ++i) {
    CAPTURE(i);
    CHECK(counts.caught[i] > 0);
  }
}
