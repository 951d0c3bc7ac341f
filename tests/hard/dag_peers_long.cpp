// The counts of docs/theory/hard.md: the path bounds beside published tests for DAGs.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <string>

#include "support/dag_acceptance.hpp"
#include "support/sets_asked.hpp"

namespace {

using namespace rta;

void no_set_is_refused(std::uint32_t m, test::DagKind kind) {
  const std::uint64_t sets = test::sets_asked(48);  // for each kind of DAGs, m and load; docs/theory/hard.md has 334
  for (const std::int64_t percent : {30, 40, 50, 60, 70, 80, 90}) {
    const test::DagCounts counts = test::count_dag_acceptance({.m = m, .percent = percent, .kind = kind}, 0, sets);
    const std::string line = fmt::format(
        "m = {}, {} % load: FP {} of {}, before T10d {}, Melani {}, Fonseca {}, of which refused {}, with all jobs {}; G-EDF {}, before "
        "T10d "
        "{}, Melani {}",
        m, percent, counts.fixed.now, sets, counts.fixed.before, counts.fixed.melani, counts.fixed.fonseca, counts.fixed.fonseca_refused,
        counts.fixed.one_more, counts.edf.now, counts.edf.before, counts.edf.melani);
    MESSAGE(line);
    CAPTURE(line);
    CHECK(counts.fixed.melani_refused == 0);
    CHECK(counts.edf.melani_refused == 0);
    CHECK(counts.fixed.one_more_refused == 0);
  }
}

/// Of docs/theory/hard.md, at one load: sets that are accepted.
struct Row {
  int before = 0;  // without T10d
  int fixed = 0;
  int serrano = 0;
  int each_node = 0;
  int edf_before = 0;
  int edf = 0;
};

/// `rows`: by kind, then by load.
void count_without_preemption(std::uint32_t m, std::uint64_t sets, const std::array<std::array<Row, 5>, 3>& rows) {
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (std::size_t i = 0; i < rows[k].size(); ++i) {
      const auto percent = static_cast<std::int64_t>(20 + 10 * i);
      CAPTURE(test::dag_kinds[k].second);
      CAPTURE(percent);
      const auto counts = test::count_non_preemptive_acceptance({.m = m, .percent = percent, .kind = test::dag_kinds[k].first}, sets);
      CHECK(counts.before >= rows[k][i].before);
      CHECK(counts.now >= rows[k][i].fixed);
      CHECK(counts.serrano == rows[k][i].serrano);
      CHECK(counts.each_node == rows[k][i].each_node);
      CHECK(counts.edf_before >= rows[k][i].edf_before);
      CHECK(counts.edf >= rows[k][i].edf);
    }
  }
}

}  // namespace

TEST_CASE("4 processors without preemption, beside Serrano's test") {
  count_without_preemption(
      4, 40,
      {{{{{40, 40, 40, 40, 40, 40}, {37, 40, 38, 39, 33, 40}, {25, 40, 7, 31, 19, 40}, {10, 40, 0, 14, 0, 7}, {0, 18, 0, 2, 0, 0}}},
        {{{36, 40, 40, 39, 40, 40}, {21, 40, 38, 26, 24, 40}, {8, 40, 5, 16, 4, 37}, {1, 37, 0, 2, 0, 1}, {0, 3, 0, 0, 0, 0}}},
        {{{30, 39, 40, 31, 40, 40}, {5, 38, 38, 15, 11, 40}, {1, 39, 4, 4, 1, 30}, {0, 26, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}}}}});
}
TEST_CASE("8 processors without preemption, beside Serrano's test") {
  count_without_preemption(8, 20,
                           {{{{{17, 20, 9, 18, 20, 20}, {6, 20, 0, 7, 8, 18}, {0, 18, 0, 0, 0, 7}, {0, 3, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}}},
                             {{{8, 20, 9, 11, 20, 20}, {0, 20, 0, 0, 3, 17}, {0, 15, 0, 0, 0, 2}, {0, 1, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}}},
                             {{{1, 20, 8, 4, 20, 20}, {0, 19, 0, 0, 1, 10}, {0, 6, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}}}}});
}
TEST_CASE("4 processors: no set of layered DAGs that Melani's or Fonseca's test accepts is refused") {
  no_set_is_refused(4, test::DagKind::layered);
}
TEST_CASE("4 processors: no set of random DAGs that Melani's or Fonseca's test accepts is refused") {
  no_set_is_refused(4, test::DagKind::gnp);
}
TEST_CASE("4 processors: no set of fork-joins that Melani's or Fonseca's test accepts is refused") {
  no_set_is_refused(4, test::DagKind::fork_join);
}
TEST_CASE("8 processors: no set of layered DAGs that Melani's or Fonseca's test accepts is refused") {
  no_set_is_refused(8, test::DagKind::layered);
}
TEST_CASE("8 processors: no set of random DAGs that Melani's or Fonseca's test accepts is refused") {
  no_set_is_refused(8, test::DagKind::gnp);
}
TEST_CASE("8 processors: no set of fork-joins that Melani's or Fonseca's test accepts is refused") {
  no_set_is_refused(8, test::DagKind::fork_join);
}
TEST_CASE("16 processors: no set of layered DAGs that Melani's or Fonseca's test accepts is refused") {
  no_set_is_refused(16, test::DagKind::layered);
}
TEST_CASE("16 processors: no set of random DAGs that Melani's or Fonseca's test accepts is refused") {
  no_set_is_refused(16, test::DagKind::gnp);
}
TEST_CASE("16 processors: no set of fork-joins that Melani's or Fonseca's test accepts is refused") {
  no_set_is_refused(16, test::DagKind::fork_join);
}
