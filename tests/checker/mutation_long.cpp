// The same as mutation_test.cpp, with 20,000 to 100,000 certificates.
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
  for (std::uint64_t seed = 1'000; damage.damaged < 20'000; ++seed) damage_orders(seed, rta::test::damage, damage);
  MESSAGE(damage.text());
  CHECK(damage.broken == "");
  CHECK(damage.refused > damage.damaged / 2);
}

TEST_CASE("100,000 certificates with 0, 1, half or another number in place of one that is claimed: what is false is refused") {
  Damage damage;
  for (std::uint64_t seed = 1'000; damage.damaged < 100'000; ++seed) understate_certificates(seed, damage);
  MESSAGE(damage.text());
  CHECK(damage.broken == "");
  CHECK(damage.judged > 0);
}

}  // namespace
