// The laws of tests/properties/path_by_priority_test.cpp over 100,000 systems, in parts that run on their own.
#include <doctest/doctest.h>

#include <cstdint>

#include "support/path_laws.hpp"

namespace {

void part(std::uint64_t number) {
  constexpr std::uint64_t systems = 20'000;
  rta::test::PathLawCounts counts;
  const std::uint64_t first = 1'000'000 + (number - 1) * systems;
  for (std::uint64_t seed = first; seed < first + systems; ++seed) rta::test::check_laws_by_priority(seed, 10, counts);
  CHECK(counts.bounded > 3'000);
  CHECK(counts.reached > 500);
}

}  // namespace

TEST_CASE("Fixed priorities, part 1 of 5: random systems never exceed their bounds") { part(1); }
TEST_CASE("Fixed priorities, part 2 of 5: random systems never exceed their bounds") { part(2); }
TEST_CASE("Fixed priorities, part 3 of 5: random systems never exceed their bounds") { part(3); }
TEST_CASE("Fixed priorities, part 4 of 5: random systems never exceed their bounds") { part(4); }
TEST_CASE("Fixed priorities, part 5 of 5: random systems never exceed their bounds") { part(5); }
