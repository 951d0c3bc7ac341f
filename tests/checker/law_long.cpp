// The same as law_test.cpp, on many more systems.
#include <doctest/doctest.h>

#include <string>

#include "law.hpp"

namespace {

using namespace rta::test;

TEST_CASE("every bound of 20,000 random systems is certified and verified") {
  Verified verified;
  for (std::uint64_t seed = 1'000; seed < 21'000; ++seed) verify(seed, verified);
  MESSAGE(verified.text());
  CHECK(verified.broken == "");
  CHECK(verified.bounds > 100'000);
}

TEST_CASE("certificates of 50,000 random systems in whole us are verified") {
  Verified verified;
  for (std::uint64_t seed = 10'000; seed < 60'000; ++seed) verify_in_microseconds(seed, verified);
  MESSAGE(verified.text());
  CHECK(verified.broken == "");
}

}  // namespace
