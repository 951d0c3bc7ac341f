// The laws of tests/properties/path_urgent_test.cpp over 100,000 systems, in parts that run on their own.
#include <doctest/doctest.h>

#include <cstdint>

#include "support/urgent_laws.hpp"

namespace {

void part(std::uint64_t number) {
  constexpr std::uint64_t systems = 25'000;
  rta::test::UrgentLawCounts counts;
  const std::uint64_t first = 1'000'000 + (number - 1) * systems;
  for (std::uint64_t seed = first; seed < first + systems; ++seed) rta::test::check_urgent_laws(seed, 16, counts);
  CHECK(counts.laws.only_T10j > 5'000);
  CHECK(counts.laws.reached > 10'000);
  CHECK(counts.classic > 2'000);
}

}  // namespace

TEST_CASE("T11j, part 1 of 4: random systems at high load never exceed their bounds") { part(1); }
TEST_CASE("T11j, part 2 of 4: random systems at high load never exceed their bounds") { part(2); }
TEST_CASE("T11j, part 3 of 4: random systems at high load never exceed their bounds") { part(3); }
TEST_CASE("T11j, part 4 of 4: random systems at high load never exceed their bounds") { part(4); }
