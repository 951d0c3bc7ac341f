// The same as law_least_claims_test.cpp, on 10,000 systems.
#include <doctest/doctest.h>

#include "least_claims.hpp"

namespace {

using namespace rta::test;

TEST_CASE("the least bounds of 10,000 systems that pass hold in simulation, whatever rules they name") {
  Climbed climbed;
  for (std::uint64_t seed = 1'000; seed < 11'000; ++seed) climb_claims(seed, climbed);
  MESSAGE(climbed.text());
  CHECK(climbed.broken == "");
}

}  // namespace
