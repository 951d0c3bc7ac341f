// Laws of T11j over random systems, against an exact simulation, the theorem by the letter and classic response-time analysis.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

#include "support/urgent_laws.hpp"

using namespace rta::test;

TEST_CASE("T11j: 2,000 random systems at high load never exceed their bounds, and broken formulas are caught") {
  UrgentLawCounts counts;
  for (std::uint64_t seed = 1; counts.laws.bounded + counts.laws.only_T10j < 2000; ++seed) check_urgent_laws(seed, 12, counts);
  CHECK(counts.laws.only_T10j > 500);  // T11 has no solution
  CHECK(counts.laws.reached > 1000);
  CHECK(counts.classic > 200);
  for (const Mutant mutant : T11j_mutants) {
    CAPTURE(static_cast<int>(mutant));
    CHECK(counts.laws.caught[static_cast<std::size_t>(mutant)] > 0);
  }
}
