// The law of tests/properties/periodic_windows_test.cpp over 100,000 systems, in parts that run on their own.
#include <doctest/doctest.h>

#include "support/periodic_laws.hpp"

namespace {

void part(std::uint64_t number) {
  rta::test::PeriodicLaws laws;
  rta::test::TinyPeriodic tiny(1'000 + number);
  while (laws.systems < 25'000) laws.check(tiny.next(), 20'000);
  CHECK(laws.attained * 10 > laws.nodes * 6);
}

}  // namespace

TEST_CASE("T35, part 1 of 4: no schedule of tiny periodic systems passes a window") { part(1); }
TEST_CASE("T35, part 2 of 4: no schedule of tiny periodic systems passes a window") { part(2); }
TEST_CASE("T35, part 3 of 4: no schedule of tiny periodic systems passes a window") { part(3); }
TEST_CASE("T35, part 4 of 4: no schedule of tiny periodic systems passes a window") { part(4); }
