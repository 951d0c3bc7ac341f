// T36 against all schedules of tiny periodic systems, and broken rules that these show to be wrong.
#include <doctest/doctest.h>

#include "support/reach_laws.hpp"

using namespace rta::test;

TEST_CASE("T36: no schedule of 1,500 tiny periodic systems passes an end, and broken rules are caught") {
  ReachLaws laws;
  TinyPeriodic tiny(7);
  while (laws.systems < 1'500) laws.check(tiny.next(), 4'000);
  while (laws.systems < 3'000) laws.check(tiny.next_in_rows(), 4'000);
  MESSAGE(laws.systems, " systems, ", laws.by_windows, " with T35's ends, without ", laws.without, ", left out ", laws.left_out,
          "; attained ", laws.attained, " of ", laws.jobs);
  CHECK(laws.attained * 10 > laws.jobs * 8);
  CHECK(laws.by_windows > 100);
  for (std::size_t i = 0; i < laws.caught.size(); ++i) {
    CAPTURE(i);
    CHECK(laws.caught.at(i) > 0);
  }
}
