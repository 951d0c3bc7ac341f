// The laws of tests/properties/path_fitting_late_test.cpp over 40,000 bounded systems, in parts that run on their own.
#include <doctest/doctest.h>

#include "support/fitting_laws.hpp"

namespace {

void part(std::uint64_t number) {
  rta::test::FittingCounts counts;
  for (std::uint64_t seed = 10'000'000 * number; counts.bounded < 20'000; ++seed) {
    rta::test::check_late_fitting_laws(seed, 12, seed % 20 == 0, counts);
  }
  CHECK(counts.fitting > 2'000);
  CHECK(counts.reached > 1'000);
  CHECK(counts.caught.front() == 0);
}

}  // namespace

TEST_CASE("T12w and T12m, part 1 of 2: random systems with jitter never exceed them") { part(1); }
TEST_CASE("T12w and T12m, part 2 of 2: random systems with jitter never exceed them") { part(2); }
