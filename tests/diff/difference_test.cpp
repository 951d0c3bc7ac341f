#include "rta/diff/difference.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "rta/io/diagnostic.hpp"

namespace rta::diff {
namespace {

/// A DAG `d` with one node `v`, and the verdict on it.
Result result(const std::string& bound, const std::string& offset, const std::string& of_node, bool met = true) {
  return parse_result(
      fmt::format(R"({{"schema": 1, "verdict": "{}", "pools": [], "dags": [{{"name": "d", "response_bound_ns": {}, "meets_deadline": {},
    "nodes": [{{"name": "v", "offset_ns": {}, "response_bound_ns": {}}}]}}]}})",
                  bound == "null" ? "unbounded"
                  : met           ? "schedulable"
                                  : "deadline-missed",
                  bound, met, offset, of_node),
      "r.json");
}

TEST_CASE("a bound that is larger by a nanosecond grew, one that is smaller shrank") {
  CHECK(compare(result("10", "0", "5"), result("11", "0", "5")).count(Trend::grew) == 1);
  CHECK(compare(result("10", "0", "5"), result("11", "0", "5")).worse());
  CHECK(compare(result("11", "0", "5"), result("10", "0", "5")).count(Trend::shrank) == 1);
  CHECK_FALSE(compare(result("11", "0", "5"), result("10", "0", "5")).worse());
}

TEST_CASE("the largest times are compared without overflow") {
  const std::string most = "9223372036854775807";
  CHECK(compare(result("1", most, most), result("1", "0", most)).count(Trend::shrank) == 1);
  CHECK(compare(result("1", "0", most), result("1", most, most)).worse());
}

TEST_CASE("a bound that is none any more vanished, and the verdict fell with it") {
  const Difference difference = compare(result("10", "0", "5"), result("null", "0", "5", false));
  CHECK(difference.count(Trend::vanished) == 1);
  CHECK(difference.count(Trend::fell) == 2);  // of the DAG, and as a whole
}

TEST_CASE("a number that is too large for a time is refused with its place") {
  try {
    static_cast<void>(result("9223372036854775808", "0", "5"));
    FAIL("accepted");
  } catch (const io::InputError& error) {
    REQUIRE(error.diagnostics().size() == 1);
    CHECK(error.diagnostics()[0].line == 1);
    CHECK(error.diagnostics()[0].text().find("response_bound_ns") != std::string::npos);
  }
}

TEST_CASE("a result is no different from itself, whatever it holds") {
  for (const char* bound : {"0", "10", "null"}) CHECK(compare(result(bound, "null", "5"), result(bound, "null", "5")).entries.empty());
}

}  // namespace
}  // namespace rta::diff
