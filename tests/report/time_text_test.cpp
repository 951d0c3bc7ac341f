#include "rta/report/time_text.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace rta;
using namespace rta::literals;
using report::number_text;
using report::time_text;

TEST_CASE("times are exact and in the unit that people read") {
  CHECK(time_text(33_ms) == "33 ms");
  CHECK(time_text(Time(179'612'345)) == "179.612345 ms");
  CHECK(time_text(450_ns) == "450 ns");
  CHECK(time_text(Time(1'500)) == "1.5 us");
  CHECK(time_text(Time(-2'500'000)) == "-2.5 ms");
  CHECK(time_text(9999_ms) == "9999 ms");
  CHECK(time_text(10_s) == "10 s");
  CHECK(time_text(Time::zero()) == "0 ms");
  CHECK(time_text(Time(std::numeric_limits<std::int64_t>::min())) == "-9223372036.854775808 s");
}

TEST_CASE("numbers lose their trailing zeros") {
  CHECK(number_text(16, 3) == "16");
  CHECK(number_text(1612.8, 3) == "1612.8");
  CHECK(number_text(-0.0001, 2) == "0");
}
