// Laws of T23 and T24 over random systems, against an exact simulation and the theorem by the letter.
#include <doctest/doctest.h>

#include <cstdint>

#include "support/visit_laws.hpp"

TEST_CASE("T23: random systems of queues, by the letter and against wrong variants") {
  rta::test::VisitCounts counts;
  for (std::uint64_t seed = 1; counts.bounded < 600; ++seed) rta::test::check_visit_laws(seed, 25, counts, true);
  MESSAGE(counts.bounded, " systems, ", counts.alone, " by T23 alone, reached in ", counts.reached, "; ", counts.visits, " nodes by T23");
  CHECK(counts.alone > 100);
  CHECK(counts.visits > 200);
  CHECK(counts.coarser == 0);
  CHECK(counts.unbounded == 0);
  CHECK(counts.reached > 50);
  CHECK(counts.caught[0] == 0);
  for (std::size_t i = 1; i < counts.caught.size(); ++i) {
    CAPTURE(i);
    CHECK(counts.caught[i] > 0);
  }
}

TEST_CASE("T23: random systems of all pools, beside all other theorems") {
  rta::test::VisitCounts counts;
  for (std::uint64_t seed = 1; counts.bounded < 800; ++seed) rta::test::check_visit_laws(seed, 25, counts, false);
  MESSAGE(counts.bounded, " systems; ", counts.visits, " nodes by T23");
  CHECK(counts.visits > 100);
  CHECK(counts.coarser == 0);
}

TEST_CASE("T24: random systems of preemptive pools, by the letter and against wrong variants") {
  rta::test::RunningCounts counts;
  for (std::uint64_t seed = 1; counts.bounded < 1'500; ++seed) rta::test::check_running_laws(seed, 25, counts);
  MESSAGE(counts.bounded, " systems, ", counts.alone, " by T24 alone, reached in ", counts.reached, "; ", counts.running, " nodes by T24");
  CHECK(counts.alone > 300);
  CHECK(counts.running > 200);
  CHECK(counts.reached > 50);
  CHECK(counts.caught[0] == 0);
  for (std::size_t i = 1; i < counts.caught.size(); ++i) {
    CAPTURE(i);
    CHECK(counts.caught[i] > 0);
  }
}
