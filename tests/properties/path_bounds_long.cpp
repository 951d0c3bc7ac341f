// The laws of tests/properties/path_bounds_test.cpp over 100,000 systems.
#include <doctest/doctest.h>

#include "support/path_laws.hpp"

TEST_CASE("Path bounds: 100,000 random systems never exceed them") {
  rta::test::PathLawCounts counts;
  for (std::uint64_t seed = 1'000'000; seed < 1'100'000; ++seed) rta::test::check_path_laws(seed, 10, counts);
  CHECK(counts.bounded > 50'000);
  CHECK(counts.reached > 5'000);
}
