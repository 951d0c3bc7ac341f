// The laws of T10j's carry (a) at length.
#include <doctest/doctest.h>

#include "support/resident_laws.hpp"

TEST_CASE("T10j, T12j, carry (a): 100,000 GPUs near full load never exceed it") { rta::test::check_resident_laws(1'000'000, 100'000); }
