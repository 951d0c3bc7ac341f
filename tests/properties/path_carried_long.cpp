// The laws of tests/properties/path_carried_test.cpp over 100,000 bounded systems, in parts that run on their own.
#include <doctest/doctest.h>

#include "support/carried_laws.hpp"

namespace {

void part(std::uint64_t number) {
  rta::test::CarriedCounts counts;
  for (std::uint64_t seed = 10'000'000 * number; counts.bounded < 20'000; ++seed) {
    rta::test::check_carried_laws(seed, 12, seed % 20 == 0, counts);
  }
  CHECK(counts.carried > 2'000);
  CHECK(counts.reached > 2'000);
  CHECK(counts.caught.front() == 0);
}

}  // namespace

TEST_CASE("T10c, part 1 of 5: random systems never exceed it") { part(1); }
TEST_CASE("T10c, part 2 of 5: random systems never exceed it") { part(2); }
TEST_CASE("T10c, part 3 of 5: random systems never exceed it") { part(3); }
TEST_CASE("T10c, part 4 of 5: random systems never exceed it") { part(4); }
TEST_CASE("T10c, part 5 of 5: random systems never exceed it") { part(5); }
