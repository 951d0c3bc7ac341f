// Laws of T10a and T10v over random systems, against an exact simulation and the theorems by the letter.
#include <doctest/doctest.h>

#include "support/aligned_laws.hpp"

using namespace rta::test;

TEST_CASE("T10a, T10v: 2,000 bounded random systems never exceed them, they are never above T10n, and broken ones are caught") {
  AlignedCounts counts;
  for (std::uint64_t seed = 1; counts.bounded < 2'000; ++seed) check_aligned_laws(seed, 6, seed % 2 == 0, counts);
  MESSAGE(counts.better, " of ", counts.bounded, " systems better; ", counts.aligned, " nodes by T10a, ", counts.overlapped,
          " by T10v; bounds reached in ", counts.reached, "; ", counts.by_letter, " by the letter");
  CHECK(counts.aligned > 50);
  CHECK(counts.overlapped > 50);
  CHECK(counts.better > 100);
  CHECK(counts.reached > 50);
  CHECK(counts.by_letter > 100);
  for (const AlignedMutant mutant : {AlignedMutant::open_left_end, AlignedMutant::cut_late_jobs, AlignedMutant::whole_path,
                                     AlignedMutant::one_turn, AlignedMutant::turns_on_gel}) {
    CAPTURE(static_cast<int>(mutant));
    CHECK(counts.caught[static_cast<std::size_t>(mutant)] > 0);
  }
  CHECK(counts.caught[static_cast<std::size_t>(AlignedMutant::none)] == 0);
}
