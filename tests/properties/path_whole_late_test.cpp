// Laws of T12d over random systems with release jitter, against an exact simulation and the theorem by the letter.
#include <doctest/doctest.h>

#include "support/whole_laws.hpp"

using namespace rta::test;

TEST_CASE("Law T12d: random systems with jitter never exceed it, it is never above T12 and T12j, and broken ones are caught") {
  WholeCounts counts;
  for (std::uint64_t seed = 1; counts.bounded < 2'000; ++seed) check_whole_laws(seed, 12, counts, {}, true);
  MESSAGE(counts.bounded, " systems, ", counts.only, " of them bounded by nothing else; ", counts.whole, " nodes by T12d, ", counts.exact,
          " of these by the letter; bounds reached in ", counts.reached);
  CHECK(counts.whole > 200);
  CHECK(counts.exact > 50);
  CHECK(counts.reached > 100);
  CHECK(counts.caught[static_cast<std::size_t>(WholeMutant::none)] == 0);
  for (const WholeMutant mutant : {WholeMutant::on_time, WholeMutant::own_on_time}) {
    CAPTURE(static_cast<int>(mutant));
    MESSAGE("caught in ", counts.caught[static_cast<std::size_t>(mutant)]);
    CHECK(counts.caught[static_cast<std::size_t>(mutant)] > 0);
  }
}
