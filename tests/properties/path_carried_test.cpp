// Laws of T10c over random systems, against an exact simulation and the theorem by the letter.
#include <doctest/doctest.h>

#include "support/carried_laws.hpp"

using namespace rta::test;

TEST_CASE("T10c: 2,000 bounded random systems never exceed it, it is never above T10v, and broken ones are caught") {
  CarriedCounts counts;
  for (std::uint64_t seed = 1; counts.bounded < 2'000; ++seed) check_carried_laws(seed, 8, true, counts);
  MESSAGE(counts.bounded, " systems, ", counts.only, " of them bounded by nothing before; ", counts.carried, " nodes by T10c, ",
          counts.told_busy, " of them for some time that the pool was busy; bounds reached in ", counts.reached, "; ", counts.by_letter,
          " by the letter, ", counts.by_busy, " of them less by the third form");
  for (std::size_t i = 0; i < carried_mutants; ++i) MESSAGE("mutant ", i, " caught in ", counts.caught[i]);
  CHECK(counts.carried > 200);
  CHECK(counts.by_letter > 500);
  CHECK(counts.by_busy > 200);
  CHECK(counts.told_busy > 50);
  CHECK(counts.reached > 200);
  for (const CarriedMutant mutant :
       {CarriedMutant::nothing_left, CarriedMutant::one_chain_less, CarriedMutant::no_lead, CarriedMutant::descendants_too,
        CarriedMutant::busy_at_release, CarriedMutant::busy_ready, CarriedMutant::busy_no_rest}) {
    CAPTURE(static_cast<int>(mutant));
    CHECK(counts.caught[static_cast<std::size_t>(mutant)] > 0);
  }
  for (const CarriedMutant sound : {CarriedMutant::none, CarriedMutant::in_fractions}) {
    CHECK(counts.caught[static_cast<std::size_t>(sound)] == 0);
  }
}

TEST_CASE("T10c: of 1,000 random systems of chains none exceeds it, and without the nodes that wait for what is left some do") {
  int systems = 0;
  int caught = 0;
  for (std::uint64_t seed = 1; systems < 1'000; ++seed) {
    CAPTURE(seed);
    const auto is_caught = catches(chains_alone(seed), seed, CarriedMutant::node_alone, 60);
    systems += is_caught ? 1 : 0;
    caught += is_caught.value_or(false) ? 1 : 0;
  }
  MESSAGE(caught, " of ", systems);
  CHECK(caught > 1);
}
