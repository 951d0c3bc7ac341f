// The laws of carry (a) of T10j and what rests on it at length.
#include <doctest/doctest.h>

#include "support/resident_laws.hpp"

TEST_CASE("T10j, T12j, T14j, carry (a): 100,000 GPUs near full load never exceed it") {
  rta::test::check_resident_laws(1'000'000, 100'000);
}
