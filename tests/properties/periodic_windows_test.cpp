// T35 against all schedules of tiny periodic systems, and broken formulas that these show to be wrong.
#include <doctest/doctest.h>

#include "support/periodic_laws.hpp"

using namespace rta::test;

TEST_CASE("T35: no schedule of 1,000 tiny periodic systems passes a window, and broken formulas are caught") {
  PeriodicLaws laws;
  TinyPeriodic tiny(1);
  while (laws.systems < 1'000) laws.check(tiny.next(), 3'000);
  CHECK(laws.attained * 10 > laws.nodes * 6);
  for (std::size_t i = 1; i < laws.caught.size(); ++i) {
    CAPTURE(i);
    CHECK(laws.caught.at(i) > 0);
  }
}
