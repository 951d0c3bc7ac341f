// The same as mutation_test.cpp, with 20,000 certificates.
#include <doctest/doctest.h>

#include "order_player.hpp"

namespace {

using namespace rta::test;

TEST_CASE("20,000 certificates damaged in one number or line: what is false is refused, and none crashes the checker") {
  Damage damage;
  for (std::uint64_t seed = 1'000; damage.damaged < 20'000; ++seed) damage_certificates(seed, damage);
  MESSAGE(damage.text());
  CHECK(damage.broken == "");
  CHECK(damage.refused > damage.damaged / 2);
}

TEST_CASE("20,000 certificates of static orders damaged in one number or line: what is false is refused, and none crashes the checker") {
  Damage damage;
  for (std::uint64_t seed = 1'000; damage.damaged < 20'000; ++seed) damage_orders(seed, damage);
  MESSAGE(damage.text());
  CHECK(damage.broken == "");
  CHECK(damage.refused > damage.damaged / 2);
}

}  // namespace
