#include "rta/analysis/cpu/gel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <string>

#include "analysis/explain/gel_lines.hpp"
#include "analysis/explain/reason_words.hpp"
#include "rta/model/error.hpp"

namespace {

using rta::Time;
using rta::analysis::in_words;
using rta::analysis::gel::published_bounds;
using rta::analysis::gel::response_bounds;
using rta::analysis::gel::Task;

Task task(std::int64_t C, std::int64_t T, std::int64_t Y) { return {Time(C), Time(T), Time(Y)}; }

}  // namespace

TEST_CASE("T1: a hand-worked pool of two processors") {
  // min Y = 4, so Y' = 4, 0. U = 4/8 + 6/8 = 1.25, ceil 2, carry = 1 x 6. V = 4 (1 - 4/8) = 2 and 6.
  // R_1 = 4 + (6 + 8)/2 + 1/2 x 4 = 13, R_2 = 0 + 7 + 3 = 10. (Without the shift: R_1 = 8 + (6 + 0 + 3)/2 + 2 = 14.5.)
  const std::array tasks{task(4, 8, 8), task(6, 8, 4)};
  const auto bounds = response_bounds(tasks, 2);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{Time(13), Time(10)});
  CHECK(bounds->terms.shift == Time(4));
  CHECK(bounds->terms.ceil_U == 2);
  CHECK(bounds->terms.C_max == Time(6));
  CHECK(bounds->terms.carry == rta::analysis::fine(Time(6)));
  CHECK(bounds->terms.demand == rta::analysis::fine(Time(8)));
}

TEST_CASE("T1: utilizations above 1 are fine, fractions of a nanosecond are rounded up") {
  // U = 10/5 + 3/6 = 2.5, ceil 3, carry = 2 x 10. V = 10 and 3 (1 - 3/6) = 1.5, so carry + demand = 31.5.
  // R_1 = (31.5 + 2 x 10)/3 = 17.17 -> 18, R_2 = 3 + (31.5 + 2 x 3)/3 = 15.5 -> 16.
  const std::array tasks{task(10, 5, 0), task(3, 6, 3)};
  const auto bounds = response_bounds(tasks, 3);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{Time(18), Time(16)});
}

TEST_CASE("T1: one processor") {
  // ceil(U) = 1: no carry. V = 2 (1 - 0) + 3 (1 - 5/10) = 3.5. R_1 = 3.5 -> 4, R_2 = 5 + 3.5 = 8.5 -> 9.
  const std::array tasks{task(2, 5, 5), task(3, 10, 10)};
  const auto bounds = response_bounds(tasks, 1);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{Time(4), Time(9)});
}

TEST_CASE("T1: negative priority points count as differences only") {
  const std::array negative{task(4, 8, -2), task(6, 8, -6)};
  const std::array positive{task(4, 8, 8), task(6, 8, 4)};
  const auto a = response_bounds(negative, 2);
  const auto b = response_bounds(positive, 2);
  REQUIRE(a);
  REQUIRE(b);
  CHECK(a->R == b->R);
}

TEST_CASE("T1: a priority point past the period lets no demand pass") {
  // Y' = 0, 30 > T = 10: V = 5, 0. U = 1, carry = 0. R_1 = (5 + 5)/2 = 5, R_2 = 30 + (5 + 5)/2 = 35.
  const std::array tasks{task(5, 10, 0), task(5, 10, 30)};
  const auto bounds = response_bounds(tasks, 2);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{Time(5), Time(35)});
}

TEST_CASE("T1: U = m exactly is schedulable, one nanosecond more is not") {
  // 1/3 + 2/3 + 1 = 2 with denominators that no double holds exactly.
  std::array tasks{task(10'000'001, 30'000'003, 0), task(40'000'014, 60'000'021, 0), task(7, 7, 0)};
  CHECK(response_bounds(tasks, 2));
  tasks[0].C = Time(10'000'002);
  const auto over = response_bounds(tasks, 2);
  REQUIRE(!over);
  CHECK(in_words(over.reason()) == "U = 60000007/30000003 (2.000000...) > 2 processors (exceeded by 1/30000003 (0.0000000333...))");
}

TEST_CASE("T1: the reason says by how much U exceeds m") {
  const std::vector<Task> tasks(69, task(1, 4, 4));  // 69/4
  const auto bounds = response_bounds(tasks, 16);
  REQUIRE(!bounds);
  CHECK(in_words(bounds.reason()) == "U = 17.25 > 16 processors (exceeded by 1.25)");
}

TEST_CASE("T1: exact decision over many periods without a common factor") {
  // Pairs p/(p + q) + q/(p + q) = 1 with 200 different periods: U = 200, and 200 processors are just enough.
  std::vector<Task> tasks;
  for (std::int64_t i = 0; i < 200; ++i) {
    const std::int64_t T = 1'000'000'007 + 2 * i * i + 6 * i;
    const std::int64_t C = 300'000'000 + 17 * i;
    tasks.push_back(task(C, T, T));
    tasks.push_back(task(T - C, T, T));
  }
  CHECK(response_bounds(tasks, 200));
  tasks.push_back(task(1, std::numeric_limits<std::int64_t>::max(), 0));
  CHECK(!response_bounds(tasks, 200));
}

TEST_CASE("T1: no task, no work") {
  const auto none = response_bounds({}, 4);
  REQUIRE(none);
  CHECK(none->R.empty());
  const std::array idle{task(0, 10, 3), task(0, 10, 0)};
  const auto bounds = response_bounds(idle, 1);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{Time(3), Time(0)});
}

TEST_CASE("T1: numbers that do not fit are an error, never a small bound") {
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  const std::array tasks{task(huge, huge, huge), task(huge, huge, -huge)};
  CHECK_THROWS_AS((void)response_bounds(tasks, 2), rta::Overflow);
  CHECK_THROWS_AS((void)response_bounds(std::array{task(1, 1, 0)}, 0), rta::Defect);
  CHECK_THROWS_AS((void)response_bounds(std::array{task(1, 0, 0)}, 1), rta::Defect);
  CHECK_THROWS_AS((void)response_bounds(std::array{task(-1, 1, 0)}, 1), rta::Defect);
}

TEST_CASE("T1: the explanation holds every number of the formula") {
  const std::array tasks{task(10, 5, 0), task(3, 6, 3)};
  const auto bounds = response_bounds(tasks, 3);
  REQUIRE(bounds);
  const std::vector<std::string> lines = explain(tasks, 3, *bounds, 1, {}, {});
  CHECK(lines == std::vector<std::string>{
                     "T1: R = Y' + (carry + demand)/m + (m-1)/m C",
                     "m = 3, U = 2.5, ceil(U) = 3",
                     "Y' = Y - min Y = 3 - 0 = 3 ns",
                     "carry = (ceil(U) - 1) C_max = 2 x 10 = 20 ns",
                     "demand = sum over the pool's 2 tasks of C_i max(0, 1 - Y'_i/T_i) = 11.5 ns,",
                     "of those with Y'_i < T_i: sum C_i - (sum C_i Y'_i)/T_i:",
                     "  task #0: 10 - 0/5 = 10",
                     "  task #1: 3 - 9/6 = 1.5",
                     "R = 3 + (20 + 11.5)/3 + 2/3 x 3 = 16 ns, rounded up",
                 });
}

TEST_CASE("T1 as published: points as they are, and a carry of (m - 1) C_max") {
  // m = 3, U = 1.25: carry 2 x 6 where T1 has 6. V = 4 (1 - 8/8) = 0 and 6 (1 - 4/8) = 3.
  // R_1 = 8 + (12 + 3)/3 + 2/3 x 4 = 15.67 -> 16, R_2 = 4 + 5 + 2/3 x 6 = 13.
  const std::array tasks{task(4, 8, 8), task(6, 8, 4)};
  const auto bounds = published_bounds(tasks, 3);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{Time(16), Time(13)});
  CHECK(bounds->terms.c == 3);
  CHECK(bounds->terms.carry == rta::analysis::fine(Time(12)));
  const std::vector<std::string> lines = rta::analysis::gel::explain(tasks, 3, *bounds, 0, {}, {});
  CHECK(lines.front() == "T1 as published: R = Y' + (carry + demand)/m + (m-1)/m C");
  CHECK(lines[2] == "Y' = Y - min(0, min Y) = 8 - 0 = 8 ns");
  CHECK(lines[3] == "carry = (m - 1) C_max = 2 x 6 = 12 ns");
  CHECK(lines.back() == "R = 8 + (12 + 3)/3 + 2/3 x 4 = 16 ns, rounded up");
}

TEST_CASE("T1 as published: where a point is below 0, all are later by as much") {
  // -4 and 0 become 0 and 4: m = 2, carry 6, V = 4 (1 - 4/8) = 2 and 6. R_1 = 4 + (6 + 8)/2 + 2 = 13, R_2 = 0 + 7 + 3 = 10.
  const std::array tasks{task(4, 8, 0), task(6, 8, -4)};
  const auto bounds = published_bounds(tasks, 2);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{Time(13), Time(10)});
}

TEST_CASE("T1 as published: U = m has a bound, more has none, nothing has no tasks") {
  CHECK(published_bounds(std::array{task(8, 8, 0), task(8, 8, 8)}, 2));
  const auto over = published_bounds(std::array{task(8, 8, 0), task(9, 8, 8)}, 2);
  REQUIRE(!over);
  CHECK(in_words(over.reason()) == "U = 2.125 > 2 processors (exceeded by 0.125)");
  CHECK(published_bounds({}, 2)->R.empty());
}

TEST_CASE("T1 is never above what was published") {
  std::uint64_t seed = 1;
  const auto below = [&](std::int64_t n) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::int64_t>((seed >> 33U) % static_cast<std::uint64_t>(n));
  };
  std::size_t compared = 0;
  for (int round = 0; round < 2'000; ++round) {
    std::vector<Task> tasks;
    for (std::int64_t i = 1 + below(6); i > 0; --i) {
      const std::int64_t T = 1 + below(40);
      tasks.push_back(task(below(T + 4), T, below(60) - 10));
    }
    const auto m = static_cast<std::uint32_t>(1 + below(4));
    const auto published = published_bounds(tasks, m);
    const auto sharpened = response_bounds(tasks, m);
    REQUIRE(static_cast<bool>(published) == static_cast<bool>(sharpened));
    for (std::size_t k = 0; published && k < tasks.size(); ++k) {
      CHECK(sharpened->R[k] <= published->R[k]);
      ++compared;
    }
  }
  CHECK(compared > 1'000);
}
