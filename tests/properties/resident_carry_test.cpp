// Laws of carry (a) of T10j and what rests on it over small GPUs near full load, against an exact simulation; and carries that are too
// small, which schedules exceed.
#include <doctest/doctest.h>

#include "support/resident_laws.hpp"

TEST_CASE("T10j, T12j, T14j, carry (a): 2,000 GPUs near full load never exceed it, it is never above (b), and smaller carries are caught") {
  rta::test::check_resident_laws(1, 2'000);
}
