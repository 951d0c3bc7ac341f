// Laws of T30 over random chains on FIFO pools, against an exact simulation and the theorem by the letter.
#include <doctest/doctest.h>

#include "support/aligned_laws.hpp"

using namespace rta::test;

TEST_CASE("T30: 1,500 bounded random systems never exceed it, and one turn fewer or jobs that overlap are caught") {
  AlignedCounts counts;
  for (std::uint64_t seed = 1; counts.bounded < 1'500; ++seed) {
    CAPTURE(seed);
    RandomPaths random(seed);
    check_aligned_laws(of_chains(seed), random, 12, true, counts);
  }
  MESSAGE(counts.aligned, " nodes by T10a, ", counts.together, " where T30 counts; bounds reached in ", counts.reached, "; ",
          counts.by_letter, " by the letter; caught ", counts.caught[static_cast<std::size_t>(AlignedMutant::one_fewer_of_all)], " and ",
          counts.caught[static_cast<std::size_t>(AlignedMutant::of_all_at_once)]);
  CHECK(counts.together > 50);
  CHECK(counts.reached > 50);
  CHECK(counts.by_letter > 1'000);
  for (const AlignedMutant mutant : {AlignedMutant::one_fewer_of_all, AlignedMutant::of_all_at_once}) {
    CAPTURE(static_cast<int>(mutant));
    CHECK(counts.caught[static_cast<std::size_t>(mutant)] > 0);
  }
  CHECK(counts.caught[static_cast<std::size_t>(AlignedMutant::none)] == 0);
}
