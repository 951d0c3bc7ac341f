#include "rta/model/error.hpp"

#include <doctest/doctest.h>

#include <string>

TEST_CASE("a broken invariant is told with its place, an unbroken one costs nothing") {
  rta::require(true, "never told");
  try {
    rta::require(1 + 1 == 3, "sums are whole");
    FAIL("not reached");
  } catch (const rta::Defect& defect) {
    const std::string text = defect.what();
    CHECK(text.find("sums are whole (") == 0);
    CHECK(text.find("error_test.cpp:") != std::string::npos);
  }
}

TEST_CASE("a user's mistake is no defect") {
  CHECK_THROWS_AS(throw rta::UserError("T must be above 0"), std::runtime_error);
  CHECK_FALSE(std::is_base_of_v<rta::UserError, rta::Defect>);
}
