// The laws of T23, T10f and T24 over many more systems.
#include <doctest/doctest.h>

#include <cstdint>

#include "support/visit_laws.hpp"

TEST_CASE("T23: 100,000 random systems") {
  rta::test::VisitCounts counts;
  for (std::uint64_t seed = 1'000'000; counts.bounded < 100'000; ++seed) rta::test::check_visit_laws(seed, 20, counts, seed % 2 == 0);
  MESSAGE(counts.visits, " nodes by T23, of which ", counts.coarser, " count more than the letter; ", counts.alone,
          " systems by T23 alone, reached in ", counts.reached);
  CHECK(counts.caught[0] == 0);
  CHECK(counts.coarser * 1'000 < counts.visits);
  CHECK(counts.unbounded * 1'000 < counts.alone);
  for (std::size_t i = 1; i < counts.caught.size(); ++i) {
    CAPTURE(i);
    CHECK(counts.caught[i] > 10);
  }
}

TEST_CASE("T10f: 100,000 random systems") {
  rta::test::UnderWayCounts counts;
  for (std::uint64_t seed = 1'000'000; counts.bounded < 100'000; ++seed) rta::test::check_under_way_laws(seed, 20, counts);
  MESSAGE(counts.under_way, " nodes by T10f; ", counts.alone, " systems by T10f alone, reached in ", counts.reached);
  CHECK(counts.caught[0] == 0);
  for (std::size_t i = 1; i < counts.caught.size(); ++i) {
    CAPTURE(i);
    CHECK(counts.caught[i] > 10);
  }
}

TEST_CASE("T24: 100,000 random systems") {
  rta::test::RunningCounts counts;
  for (std::uint64_t seed = 1'000'000; counts.bounded < 100'000; ++seed) rta::test::check_running_laws(seed, 20, counts);
  MESSAGE(counts.running, " nodes by T24; ", counts.alone, " systems by T24 alone, reached in ", counts.reached);
  CHECK(counts.caught[0] == 0);
  for (std::size_t i = 1; i < counts.caught.size(); ++i) {
    CAPTURE(i);
    CHECK(counts.caught[i] > 10);
  }
}
