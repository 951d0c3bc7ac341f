// Laws of T39 over random systems, against an exact simulation, the theorem by the letter and wrong variants.
#include <doctest/doctest.h>

#include <cstdint>

#include "support/upstream_laws.hpp"

TEST_CASE("T39: random systems of loaded processors, by the letter and against wrong variants") {
  rta::test::UpstreamCounts counts;
  for (std::uint64_t seed = 1; counts.bounded < 2'000; ++seed) rta::test::check_upstream_laws(seed, 30, 0.7, counts);
  MESSAGE(counts.bounded, " systems, ", counts.only, " that nothing else bounds; ", counts.nodes, " nodes by T39; ", counts.alone,
          " by T39 alone, reached in ", counts.reached);
  for (std::size_t i = 0; i < counts.caught.size(); ++i)
    MESSAGE("wrong variant ", i, " is another in ", counts.compared[i], " systems, broken in ", counts.caught[i]);
  CHECK(counts.nodes > 200);
  CHECK(counts.alone > 500);
  CHECK(counts.reached > 200);
  CHECK(counts.caught[0] == 0);
  for (std::size_t i = 1; i < counts.caught.size(); ++i) {
    CAPTURE(i);
    CHECK(counts.caught[i] > 0);
  }
}
