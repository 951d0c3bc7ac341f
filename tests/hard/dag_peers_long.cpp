// The counts of docs/theory/hard.md: the path bounds beside published tests for DAGs.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "support/dag_acceptance.hpp"

namespace {

using namespace rta;

void no_set_is_refused(std::uint32_t m, test::DagKind kind, std::uint64_t sets) {
  for (const std::int64_t percent : {30, 40, 50, 60, 70, 80, 90}) {
    const test::DagCounts counts = test::count_dag_acceptance({.m = m, .percent = percent, .kind = kind}, 0, sets);
    const std::string line = fmt::format(
        "m = {}, {} % load: FP {} of {}, before T10d {}, Melani {}, Fonseca {}, of which refused {}; G-EDF {}, before T10d {}, Melani {}",
        m, percent, counts.fixed.now, sets, counts.fixed.before, counts.fixed.melani, counts.fixed.fonseca, counts.fixed.fonseca_refused,
        counts.edf.now, counts.edf.before, counts.edf.melani);
    MESSAGE(line);
    CAPTURE(line);
    CHECK(counts.fixed.melani_refused == 0);
    CHECK(counts.edf.melani_refused == 0);
  }
}

void count_without_preemption(std::uint32_t m, std::uint64_t sets) {
  for (const auto& [kind, name] : test::dag_kinds) {
    for (const std::int64_t percent : {20, 30, 40, 50, 60}) {
      const auto counts = test::count_non_preemptive_acceptance({.m = m, .percent = percent, .kind = kind}, sets);
      MESSAGE(fmt::format(
          "m = {}, {}, {} % load, without preemption: FP {} of {}, before T10d {}, Serrano {}, with all nodes {}, of either refused {}", m,
          name, percent, counts.now, sets, counts.before, counts.serrano, counts.each_node, counts.refused));
      if (m == 4 && percent == 20) CHECK(2 * counts.now >= static_cast<int>(sets));
    }
  }
}

}  // namespace

TEST_CASE("4 processors without preemption, beside Serrano's test") { count_without_preemption(4, 40); }
TEST_CASE("8 processors without preemption, beside Serrano's test") { count_without_preemption(8, 20); }
TEST_CASE("4 processors: no set of layered DAGs that Melani's test accepts is refused") {
  no_set_is_refused(4, test::DagKind::layered, 40);
}
TEST_CASE("4 processors: no set of random DAGs that Melani's test accepts is refused") { no_set_is_refused(4, test::DagKind::gnp, 40); }
TEST_CASE("4 processors: no set of fork-joins that Melani's test accepts is refused") {
  no_set_is_refused(4, test::DagKind::fork_join, 40);
}
TEST_CASE("8 processors: no set of layered DAGs that Melani's test accepts is refused") {
  no_set_is_refused(8, test::DagKind::layered, 20);
}
TEST_CASE("8 processors: no set of random DAGs that Melani's test accepts is refused") { no_set_is_refused(8, test::DagKind::gnp, 20); }
TEST_CASE("8 processors: no set of fork-joins that Melani's test accepts is refused") {
  no_set_is_refused(8, test::DagKind::fork_join, 20);
}
TEST_CASE("16 processors: no set of layered DAGs that Melani's test accepts is refused") {
  no_set_is_refused(16, test::DagKind::layered, 20);
}
TEST_CASE("16 processors: no set of random DAGs that Melani's test accepts is refused") { no_set_is_refused(16, test::DagKind::gnp, 20); }
TEST_CASE("16 processors: no set of fork-joins that Melani's test accepts is refused") {
  no_set_is_refused(16, test::DagKind::fork_join, 20);
}
