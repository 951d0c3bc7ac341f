// Damaged certificates: what is false is refused, and nothing crashes the checker.
#include <doctest/doctest.h>

#include "mutations.hpp"

namespace {

using namespace rta::test;

TEST_CASE("certificates damaged in one number or line: what is false is refused, and none crashes the checker") {
  Damage damage;
  for (std::uint64_t seed = 0; damage.damaged < 1'500; ++seed) damage_certificates(seed, damage);
  MESSAGE(damage.text());
  CHECK(damage.broken == "");
  CHECK(damage.refused > damage.damaged / 2);
}

}  // namespace
