#include "analysis/policies/end_to_end.hpp"

#include <doctest/doctest.h>

#include "rta/model/error.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;
using analysis::end_to_end;

TEST_CASE("offsets follow the longest path") {
  // a(2) -> b(5) -> d(1), a(2) -> c(3) -> d(1): Phi = 0, 2, 2, 7; R = 8 along a, b, d.
  const Dag dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms), cpu_node("b", 1_ms), cpu_node("c", 1_ms), cpu_node("d", 1_ms)},
                {{0, 1, false}, {0, 2, false}, {1, 3, false}, {2, 3, false}});
  const std::vector<Time> R{2_ms, 5_ms, 3_ms, 1_ms};
  const auto whole = end_to_end(dag, R);
  CHECK(whole.offset == std::vector<Time>{0_ms, 2_ms, 2_ms, 7_ms});
  CHECK(whole.R == 8_ms);
  CHECK(whole.critical_path == std::vector<NodeId>{0, 1, 3});
}

TEST_CASE("several sources and sinks need no virtual nodes") {
  // a(1) -> c(2), b(4) -> c(2), b(4) -> e(9): the bound is the latest of all ends, here e's.
  const Dag dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms), cpu_node("b", 1_ms), cpu_node("c", 1_ms), cpu_node("e", 1_ms)},
                {{0, 2, false}, {1, 2, false}, {1, 3, false}});
  const auto whole = end_to_end(dag, std::vector<Time>{1_ms, 4_ms, 2_ms, 9_ms});
  CHECK(whole.offset == std::vector<Time>{0_ms, 0_ms, 4_ms, 4_ms});
  CHECK(whole.R == 13_ms);
  CHECK(whole.critical_path == std::vector<NodeId>{1, 3});
}

TEST_CASE("nodes without work keep the path through them") {
  const Dag dag("d", 10_ms, std::nullopt, {cpu_node("a", 0_ms), cpu_node("b", 0_ms)}, {{0, 1, false}});
  const auto whole = end_to_end(dag, std::vector<Time>{0_ms, 0_ms});
  CHECK(whole.R == 0_ms);
  CHECK(whole.offset == std::vector<Time>{0_ms, 0_ms});
}

TEST_CASE("an end past the range is an error, and so is a missing bound") {
  const Dag dag("d", 10_ms, std::nullopt, {cpu_node("a", 0_ms), cpu_node("b", 0_ms)}, {{0, 1, false}});
  const Time huge(std::numeric_limits<std::int64_t>::max());
  CHECK_THROWS_AS((void)end_to_end(dag, std::vector<Time>{huge, huge}), Overflow);
  CHECK_THROWS_AS((void)end_to_end(dag, std::vector<Time>{huge}), rta::Defect);
}
