// The least bounds that the checker lets pass hold.
#include <doctest/doctest.h>

#include "least_claims.hpp"

namespace {

using namespace rta::test;

TEST_CASE("the least bounds that pass hold in simulation, whatever rules they name") {
  Climbed climbed;
  for (std::uint64_t seed = 0; seed < 300; ++seed) climb_claims(seed, climbed);
  MESSAGE(climbed.text());
  CHECK(climbed.broken == "");
  CHECK(climbed.verified > 400);
  for (const char* rule :
       {"T1n", "T1bn", "T1b", "T1r", "T6n", "T8", "T10n", "T10p", "T10d", "T10j", "T10g", "T11", "T12", "T14", "before"}) {
    CAPTURE(rule);
    CHECK(climbed.by_rule[rule] > 0);
  }
}

}  // namespace
