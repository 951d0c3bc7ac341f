// The law of tests/properties/path_whole_late_test.cpp over 30,000 bounded systems, in parts that run on their own.
#include <doctest/doctest.h>

#include "support/whole_laws.hpp"

namespace {

void part(std::uint64_t number) {
  rta::test::WholeCounts counts;
  for (std::uint64_t seed = 10'000'000 * number; counts.bounded < 15'000; ++seed) rta::test::check_whole_laws(seed, 12, counts, {}, true);
  CHECK(counts.whole > 2'000);
  CHECK(counts.reached > 1'000);
  CHECK(counts.caught.front() == 0);
}

}  // namespace

TEST_CASE("T12d, part 1 of 2: random systems with jitter never exceed it") { part(1); }
TEST_CASE("T12d, part 2 of 2: random systems with jitter never exceed it") { part(2); }
