// The laws of tests/properties/path_all_jobs_test.cpp over 100,000 bounded systems.
#include <doctest/doctest.h>

#include "support/aligned_laws.hpp"

using namespace rta::test;

TEST_CASE("T30: 100,000 bounded random systems never exceed it") {
  AlignedCounts counts;
  for (std::uint64_t seed = 10'000'000; counts.bounded < 100'000; ++seed) {
    CAPTURE(seed);
    RandomPaths random(seed);
    check_aligned_laws(of_chains(seed), random, 10, seed % 20 == 0, counts);
  }
  CHECK(counts.together > 5'000);
  CHECK(counts.reached > 5'000);
}
