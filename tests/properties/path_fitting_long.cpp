// The laws of tests/properties/path_fitting_test.cpp over 100,000 bounded systems, in parts that run on their own.
#include <doctest/doctest.h>

#include "support/fitting_laws.hpp"

namespace {

void part(std::uint64_t number) {
  rta::test::FittingCounts counts;
  for (std::uint64_t seed = 10'000'000 * number; counts.bounded < 20'000; ++seed) {
    rta::test::check_fitting_laws(seed, 12, seed % 20 == 0, counts);
  }
  CHECK(counts.fitting > 2'000);
  CHECK(counts.reached > 2'000);
  CHECK(counts.caught.front() == 0);
}

}  // namespace

TEST_CASE("T10p and T10w, part 1 of 5: random systems never exceed them") { part(1); }
TEST_CASE("T10p and T10w, part 2 of 5: random systems never exceed them") { part(2); }
TEST_CASE("T10p and T10w, part 3 of 5: random systems never exceed them") { part(3); }
TEST_CASE("T10p and T10w, part 4 of 5: random systems never exceed them") { part(4); }
TEST_CASE("T10p and T10w, part 5 of 5: random systems never exceed them") { part(5); }
