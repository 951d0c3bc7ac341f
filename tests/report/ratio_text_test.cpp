#include "report/parts/ratio_text.hpp"

#include <doctest/doctest.h>

#include "support/build.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("a ratio of bound and observed is rounded down: just above its bound is below 1") {
  CHECK(report::ratio_text(7_ms, 7_ms) == "1.00");
  CHECK(report::ratio_text(7_ms, 7_ms + Time(1)) == "0.99");
  CHECK(report::ratio_text(7_ms, 2_ms) == "3.50");
  CHECK(report::ratio_text(std::nullopt, 7_ms).empty());
  CHECK(report::ratio_text(7_ms, std::nullopt).empty());
  CHECK(report::ratio_text(7_ms, 0_ms).empty());
}
