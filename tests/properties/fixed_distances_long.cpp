// The same over many systems.
#include <doctest/doctest.h>

#include "support/fixed_distances_laws.hpp"

using namespace rta::test;

TEST_CASE("Segments at fixed distances: no run of 6,000 random systems ends later than is claimed, and every broken claim is caught") {
  DistanceCounts counts;
  for (std::uint64_t seed = 1'000'001; counts.systems < 6'000; ++seed) attack_fixed_distances(seed, 20, counts);
  MESSAGE("lower in ", counts.lower, ", reached in ", counts.reached);
  for (std::size_t i = 1; i < distance_mutants; ++i) {
    CAPTURE(i);
    MESSAGE("mutant ", i, " caught in ", counts.caught[i]);
    CHECK(counts.caught[i] > 0);
  }
}
