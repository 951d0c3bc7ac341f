// Laws of T10f over random systems, against an exact simulation, the theorem by the letter and wrong variants.
#include <doctest/doctest.h>

#include <cstdint>

#include "support/visit_laws.hpp"

TEST_CASE("T10f: random systems of FIFO pools, by the letter and against wrong variants") {
  rta::test::UnderWayCounts counts;
  for (std::uint64_t seed = 1; counts.bounded < 3'000; ++seed) rta::test::check_under_way_laws(seed, 25, counts);
  MESSAGE(counts.bounded, " systems, ", counts.alone, " by T10f alone, reached in ", counts.reached, "; ", counts.under_way,
          " nodes by T10f");
  CHECK(counts.alone > 1'000);
  CHECK(counts.under_way > 200);
  CHECK(counts.reached > 50);
  CHECK(counts.caught[0] == 0);
  for (std::size_t i = 1; i < counts.caught.size(); ++i) {
    CAPTURE(i);
    MESSAGE("wrong variant ", i, " broken in ", counts.caught[i], " systems");
    CHECK(counts.caught[i] > 0);
  }
}
