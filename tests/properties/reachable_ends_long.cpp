// The law of tests/properties/reachable_ends_test.cpp over 100,000 systems, in parts that run on their own.
#include <doctest/doctest.h>

#include "support/reach_laws.hpp"

namespace {

void part(std::uint64_t number) {
  rta::test::ReachLaws laws;
  rta::test::TinyPeriodic tiny(2'000 + number);
  while (laws.systems < 10'000) laws.check(tiny.next(), 20'000);
  while (laws.systems < 15'000) laws.check(tiny.next_in_rows(), 20'000);
  while (laws.systems < 25'000) laws.check(tiny.next_seen(), 30'000, laws.systems % 2 == 0);
  CHECK(laws.attained * 10 > laws.jobs * 8);
}

}  // namespace

TEST_CASE("T36, part 1 of 4: no schedule of tiny periodic systems passes an end") { part(1); }
TEST_CASE("T36, part 2 of 4: no schedule of tiny periodic systems passes an end") { part(2); }
TEST_CASE("T36, part 3 of 4: no schedule of tiny periodic systems passes an end") { part(3); }
TEST_CASE("T36, part 4 of 4: no schedule of tiny periodic systems passes an end") { part(4); }
