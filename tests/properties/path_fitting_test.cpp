// Laws of T10p and T10w over random systems, against an exact simulation and the theorem by the letter.
#include <doctest/doctest.h>

#include "support/fitting_laws.hpp"

using namespace rta::test;

TEST_CASE("T10p and T10w: random systems never exceed them, they are never above what was before, and broken ones are caught") {
  FittingCounts counts;
  std::uint64_t seed = 1;
  for (; counts.bounded < 600; ++seed) check_fitting_laws(seed, 20, true, counts);
  for (; counts.bounded < 3'000; ++seed) check_fitting_laws(seed, 8, false, counts);
  MESSAGE(counts.bounded, " systems, ", counts.only, " of them bounded by nothing before; ", counts.parallel, " nodes by T10p, ",
          counts.fitting, " by T10w, ", counts.exact, " of the latter by the letter; mean share ", counts.share / counts.compared,
          "; bounds reached in ", counts.reached);
  for (std::size_t i = 0; i < static_cast<std::size_t>(FittingMutant::on_time); ++i) MESSAGE("mutant ", i, " caught in ", counts.caught[i]);
  CHECK(counts.parallel > 20);
  CHECK(counts.fitting > 200);
  CHECK(counts.exact > 50);
  CHECK(counts.reached > 100);
  CHECK(counts.share < counts.compared);
  CHECK(counts.caught[static_cast<std::size_t>(FittingMutant::none)] == 0);
  for (const FittingMutant mutant : {FittingMutant::one_chain, FittingMutant::one_processor, FittingMutant::shorter_window,
                                     FittingMutant::no_own, FittingMutant::no_own_jobs}) {
    CAPTURE(static_cast<int>(mutant));
    CHECK(counts.caught[static_cast<std::size_t>(mutant)] > 0);
  }
}
