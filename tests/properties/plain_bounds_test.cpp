// Under fixed priorities alone T10v's way is left for T10g's where that says less: the ends are T10g's.
#include "analysis/path/plain_bounds.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "support/random_path_system.hpp"

namespace {

using namespace rta::analysis::path;
using rta::test::RandomPathOptions;
using rta::test::RandomPaths;

bool all_fixed(const System& system) {
  return std::ranges::all_of(system.pools, [](const Pool& pool) { return pool.order == Order::fixed; });
}

}  // namespace

TEST_CASE("Plain bounds under fixed priorities are T10g's, and none is above T10v's") {
  int same = 0;
  int less = 0;
  int lower = 0;
  int unbounded = 0;
  for (std::uint64_t seed = 1; seed <= 6'000; ++seed) {
    CAPTURE(seed);
    RandomPathOptions options;
    options.fixed = true;
    options.most_dags = 4;
    const System system = RandomPaths(seed).system(options).system;
    if (!all_fixed(system)) continue;
    Limits limits;
    limits.periods = 50;
    const PlainBounds plain = plain_bounds(system, limits);
    const auto late = node_bounds(system, Refinement::T10g, limits);
    const auto early = node_bounds(system, Refinement::T10v, limits);
    REQUIRE(plain.late_is_same);
    REQUIRE(static_cast<bool>(plain.bounds) == static_cast<bool>(late));
    if (!late) {
      CHECK_FALSE(early);
      ++unbounded;
      continue;
    }
    CHECK(plain.bounds->F == late->F);
    CHECK(plain.bounds->support == (plain.by == Refinement::T10g ? late->support : early->support));
    ++(plain.by == Refinement::T10g ? less : same);
    if (!early) continue;
    for (std::size_t k = 0; k < system.dags.size(); ++k) {
      for (std::size_t v = 0; v < system.dags[k].nodes.size(); ++v) {
        CHECK(plain.bounds->F[k][v] <= early->F[k][v]);
        lower += plain.bounds->F[k][v] < early->F[k][v] ? 1 : 0;
      }
    }
  }
  MESSAGE(same, " the same way, ", less, " by T10g, ", lower, " ends lower than T10v's, ", unbounded, " without bounds");
  CHECK(same > 200);
  CHECK(less > 100);
  CHECK(lower > 100);
  CHECK(unbounded > 50);
}
