// Every bound that is printed is certified, and the checker verifies it.
#include "law.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

namespace {

using namespace rta::test;

TEST_CASE("every bound of random systems is certified and verified, for every release policy and refinement") {
  Verified verified;
  for (std::uint64_t seed = 0; seed < 400; ++seed) verify(seed, verified);
  MESSAGE(verified.text());
  CHECK(verified.broken == "");
  CHECK(verified.bounds > 2'000);
  for (const char* theorem : {"T1n", "T3", "T6n", "T7", "T8", "T10n", "T10a", "T10v", "T10c", "T10j", "T10g", "T11", "T11j"}) {
    CAPTURE(theorem);
    CHECK(verified.by_theorem[theorem] > 0);
  }
}

// T10v: of two paths over the same pools the shorter one decides, because critical paths of others take more off the longer one.
TEST_CASE("a way that is not the longest is found again by the derivation") {
  Verified verified;
  verify(2291, verified);
  CHECK(verified.broken == "");
}

}  // namespace
