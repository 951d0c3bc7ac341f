// What tightness.md claims of segments at fixed distances. No bound of rta uses it.
#include <doctest/doctest.h>

#include "support/fixed_distances_laws.hpp"

using namespace rta::test;

TEST_CASE("Segments at fixed distances: no run of 200 random systems ends later than is claimed, and broken claims are caught") {
  DistanceCounts counts;
  for (std::uint64_t seed = 1; counts.systems < 200; ++seed) attack_fixed_distances(seed, 20, counts);
  MESSAGE(counts.systems, " systems, ends lower than by the third form in ", counts.lower, ", reached in ", counts.reached);
  for (std::size_t i = 0; i < distance_mutants; ++i) MESSAGE("mutant ", i, " caught in ", counts.caught[i]);
  CHECK(counts.lower > 20);
  for (const DistanceMutant mutant : {DistanceMutant::nothing_carried, DistanceMutant::at_release, DistanceMutant::next_instead}) {
    CAPTURE(static_cast<int>(mutant));
    CHECK(counts.caught[static_cast<std::size_t>(mutant)] > 0);
  }
}
