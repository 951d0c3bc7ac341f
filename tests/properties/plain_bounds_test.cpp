// Where T10v's way is left for T10g's as soon as that says less, the ends are T10g's.
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

namespace {

struct Compared {
  int same = 0;       // by T10v's way to the end
  int less = 0;       // by T10g's
  int lower = 0;      // ends lower than T10v's
  int unbounded = 0;  // systems
};

void compare(const System& system, bool goes_on, Compared& all) {
  Limits limits;
  limits.periods = 50;
  const PlainBounds plain = plain_bounds(system, goes_on, limits);
  if (goes_on && !plain.late_is_same) return;  // with release jitter, or where all jobs are counted in order, T10v is asked alone
  const auto late = node_bounds(system, Refinement::T10g, limits);
  const auto early = node_bounds(system, Refinement::T10v, limits);
  REQUIRE(plain.late_is_same);
  REQUIRE(static_cast<bool>(plain.bounds) == static_cast<bool>(late));
  if (!late) {
    CHECK_FALSE(early);
    ++all.unbounded;
    return;
  }
  // T24 is not monotone, so ways upwards may part where it is asked.
  if (plain.bounds->F != late->F) return;
  if (plain.by != Refinement::T10g) CHECK(plain.bounds->support == early->support);
  ++(plain.by == Refinement::T10g ? all.less : all.same);
  if (!early) return;
  for (std::size_t k = 0; k < system.dags.size(); ++k) {
    for (std::size_t v = 0; v < system.dags[k].nodes.size(); ++v) {
      CHECK(plain.bounds->F[k][v] <= early->F[k][v]);
      all.lower += plain.bounds->F[k][v] < early->F[k][v] ? 1 : 0;
    }
  }
}

void check(const Compared& all) {
  MESSAGE(all.same, " the same way, ", all.less, " by T10g, ", all.lower, " ends lower than T10v's, ", all.unbounded, " without bounds");
  CHECK(all.same > 200);
  CHECK(all.less > 100);
  CHECK(all.lower > 100);
  CHECK(all.unbounded > 50);
}

}  // namespace

TEST_CASE("Plain bounds under fixed priorities are T10g's, and none is above T10v's") {
  Compared all;
  for (std::uint64_t seed = 1; seed <= 6'000; ++seed) {
    CAPTURE(seed);
    RandomPathOptions options;
    options.fixed = true;
    options.most_dags = 4;
    const System system = RandomPaths(seed).system(options).system;
    if (all_fixed(system)) compare(system, false, all);
  }
  check(all);
}

TEST_CASE("Plain bounds that go on are T10g's on any pools, and none is above T10v's") {
  Compared all;
  for (std::uint64_t seed = 1; seed <= 3'000; ++seed) {
    CAPTURE(seed);
    RandomPathOptions options;
    options.fixed = seed % 3 == 0;
    options.by_node = seed % 2 == 0;
    options.most_dags = 4;
    compare(RandomPaths(seed).system(options).system, true, all);
  }
  check(all);
}
