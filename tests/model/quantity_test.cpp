#include "rta/model/quantity.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace rta;
using namespace rta::literals;

TEST_CASE("time literals are whole nanoseconds") {
  CHECK(3_us == Time(3000));
  CHECK(2_s == 2000_ms);
}

TEST_CASE("arithmetic that leaves the range throws and never wraps") {
  const Time last(std::numeric_limits<std::int64_t>::max());
  CHECK_THROWS_AS((void)(last + 1_ns), Overflow);
  CHECK_THROWS_AS((void)(Time(std::numeric_limits<std::int64_t>::min()) - 1_ns), Overflow);
  CHECK_THROWS_AS((void)(last * 2), Overflow);
  CHECK_THROWS_AS((void)to_time(static_cast<Wide>(last.count()) + 1), Overflow);
  CHECK((last - last) == Time::zero());
}

TEST_CASE("division rounds towards the named side, also below zero") {
  CHECK(ceil_div(7, 2) == 4);
  CHECK(ceil_div(-7, 2) == -3);
  CHECK(ceil_div(6, 2) == 3);
  CHECK(floor_div(7, 2) == 3);
  CHECK(floor_div(-7, 2) == -4);
  CHECK(floor_div(-6, 2) == -3);
}

TEST_CASE("128-bit integers print in full") {
  CHECK(to_string(Wide{0}) == "0");
  CHECK(to_string(Wide{-12}) == "-12");
  // 10^20 does not fit in 64 bits.
  CHECK(to_string(Wide{10'000'000'000} * 10'000'000'000) == "100000000000000000000");
}
