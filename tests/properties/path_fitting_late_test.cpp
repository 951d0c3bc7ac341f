// Laws of T12w and T12m over random systems with release jitter, against an exact simulation and T12w by the letter.
#include <doctest/doctest.h>

#include "support/fitting_laws.hpp"

using namespace rta::test;

TEST_CASE("T12w and T12m: random systems with jitter never exceed them, they are never above T12 and T12j, and broken ones are caught") {
  FittingCounts counts;
  std::uint64_t seed = 1;
  for (; counts.bounded < 600; ++seed) check_late_fitting_laws(seed, 20, true, counts);
  for (; counts.bounded < 2'000; ++seed) check_late_fitting_laws(seed, 8, false, counts);
  for (const std::uint64_t rare : {1'850U, 2'485U, 5'305U}) check_late_fitting_laws(rare, 40, true, counts);  // break `ends_alone`
  MESSAGE(counts.bounded, " systems, ", counts.only, " of them bounded by nothing else; ", counts.fitting, " nodes by T12w, ", counts.exact,
          " of these by the letter, ", counts.families, " by T12m; mean share ", counts.share / counts.compared, "; bounds reached in ",
          counts.reached);
  CHECK(counts.fitting > 200);
  CHECK(counts.families > 10);
  CHECK(counts.exact > 50);
  CHECK(counts.reached > 100);
  CHECK(counts.share < counts.compared);
  for (const FittingMutant mutant : late_fitting_mutants) {
    const int caught = counts.caught[static_cast<std::size_t>(mutant)];
    MESSAGE("mutant ", static_cast<int>(mutant), " caught in ", caught);
    CHECK((mutant == FittingMutant::none ? caught == 0 : caught > 0));
  }
}
