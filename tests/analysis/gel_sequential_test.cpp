#include "rta/analysis/cpu/gel_sequential.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "analysis/explain/reason_words.hpp"
#include "analysis/explain/sequential_lines.hpp"

namespace {

using rta::Time;
using rta::analysis::in_words;
using rta::analysis::gel_sequential::devi_anderson_bounds;
using rta::analysis::gel_sequential::Task;
namespace t3 = rta::analysis::gel_sequential;
using Rational = boost::multiprecision::cpp_rational;

Task task(std::int64_t C, std::int64_t T, std::int64_t Y) { return {Time(C), Time(T), Time(Y)}; }

// The exact bounds of T3. G is the maximum over all choices of `count` tasks, so the solution is the largest of the solutions for one
// choice, where s = sum over the choice of (x_i(s) u_i + C_i - S_i) + S bends at the C_i only.
std::vector<Rational> exhaustive_bounds(const std::vector<Task>& tasks, unsigned m) {
  const std::size_t n = tasks.size();
  std::int64_t shift = std::numeric_limits<std::int64_t>::max();
  for (const Task& t : tasks) shift = std::min(shift, t.Y.count());
  Rational U = 0;
  Rational S = 0;
  std::vector<Rational> C(n), u(n), S_i(n), Y(n);
  for (std::size_t i = 0; i < n; ++i) {
    C[i] = tasks[i].C.count();
    u[i] = C[i] / tasks[i].T.count();
    Y[i] = tasks[i].Y.count() - shift;
    S_i[i] = Y[i] >= tasks[i].T.count() ? Rational(0) : Rational(C[i] * (1 - Y[i] / tasks[i].T.count()));
    U += u[i];
    S += S_i[i];
  }
  unsigned ceil_U = 0;
  while (U > ceil_U) ++ceil_U;
  const unsigned count = ceil_U - 1;

  Rational s = S;
  for (unsigned choice = 0; choice < 1U << n; ++choice) {
    if (static_cast<unsigned>(__builtin_popcount(choice)) != count) continue;
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < n; ++i) {
      if ((choice >> i & 1U) != 0) members.push_back(i);
    }
    std::sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) { return C[a] < C[b]; });
    // With the j members of least C late: s (1 - sum u/m) = S + sum (C_i - S_i) - sum over late C_i u_i/m.
    for (std::size_t j = 0; j <= members.size(); ++j) {
      Rational right = S;
      Rational slope = 1;
      for (std::size_t i = 0; i < members.size(); ++i) {
        right += C[members[i]] - S_i[members[i]];
        if (i < j) {
          right -= C[members[i]] * u[members[i]] / m;
          slope -= u[members[i]] / m;
        }
      }
      const Rational root = right / slope;
      const bool from = j == 0 || root >= C[members[j - 1]];
      const bool to = j == members.size() || root <= C[members[j]];
      if (from && to && root > s) s = root;
    }
  }
  std::vector<Rational> R(n);
  for (std::size_t i = 0; i < n; ++i) R[i] = Y[i] + C[i] + (s > C[i] ? Rational((s - C[i]) / m) : Rational(0));
  return R;
}

}  // namespace

TEST_CASE("T3: a hand-worked pool of two processors") {
  // Y' = 0, 2, 4. S_i = 2, 3 (1 - 2/6) = 2, 4 (1 - 4/8) = 2, S = 6. U = 1.5: G is the largest of (s - C_i)/2 x 1/2 + C_i - S_i
  // = s/4 - 1/2, s/4 + 1/4, s/4 + 1. So s = s/4 + 1 + 6, s = 28/3.
  // R_1 = 0 + (28/3 - 2)/2 + 2 = 5 2/3, R_2 = 2 + (28/3 - 3)/2 + 3 = 8 1/6, R_3 = 4 + (28/3 - 4)/2 + 4 = 10 2/3.
  const std::array tasks{task(2, 4, 4), task(3, 6, 6), task(4, 8, 8)};
  const auto bounds = t3::response_bounds(tasks, 2);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{Time(6), Time(9), Time(11)});
  CHECK(rta::analysis::text(bounds->s) == "9.334");
}

TEST_CASE("T3: one processor has no competitor left over") {
  // Y' = 0, 2. S = 1 + 2 (1 - 2/6) = 7/3 = s. R_1 = 0 + (7/3 - 1) + 1 = 7/3, R_2 = 2 + (7/3 - 2) + 2 = 4 1/3.
  const std::array tasks{task(1, 4, 4), task(2, 6, 6)};
  const auto bounds = t3::response_bounds(tasks, 1);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{Time(3), Time(5)});
}

TEST_CASE("T3: a task longer than s waits for nobody") {
  // Y' = 0, 0, U = 0.4: G = 0, s = S = 12. R_1 = (12 - 2)/2 + 2 = 7, R_2 = (12 - 10)/2 + 10 = 11.
  // With Y' = 0, 30: S = 2 (the second task's Y' is past its T), s = 2 < C_2. R_1 = 2, R_2 = 30 + 10.
  const std::array together{task(2, 20, 0), task(10, 30, 0)};
  REQUIRE(t3::response_bounds(together, 2));
  CHECK(t3::response_bounds(together, 2)->R == std::vector{Time(7), Time(11)});
  const std::array apart{task(2, 20, 0), task(10, 30, 30)};
  REQUIRE(t3::response_bounds(apart, 2));
  CHECK(t3::response_bounds(apart, 2)->R == std::vector{Time(2), Time(40)});
}

TEST_CASE("T3: U = m and u = 1 exactly are schedulable, one nanosecond more is not") {
  std::array tasks{task(7, 7, 7), task(10'000'001, 30'000'003, 0), task(40'000'014, 60'000'021, 0)};
  CHECK(t3::response_bounds(tasks, 2));
  tasks[2].C = Time(40'000'015);
  const auto over = t3::response_bounds(tasks, 2);
  REQUIRE(!over);
  CHECK(in_words(over.reason()) == "U = 120000043/60000021 (2.000000...) > 2 processors (exceeded by 1/60000021 (0.0000000166...))");
  const std::array saturated{task(5, 5, 5), task(5, 5, 5)};
  // C = T: S_i = 5, S = 10, G = (s - 5)/2 x 1 + 0, s = s/2 - 2.5 + 10 = 15. R = 0 + (15 - 5)/2 + 5 = 10.
  REQUIRE(t3::response_bounds(saturated, 2));
  CHECK(t3::response_bounds(saturated, 2)->R == std::vector{Time(10), Time(10)});
}

TEST_CASE("T3, T4: a task with more work than its period is named") {
  const std::array tasks{task(1, 4, 4), task(5, 4, 4)};
  const auto t3 = t3::response_bounds(tasks, 8);
  REQUIRE(!t3);
  CHECK(in_words(t3.reason()) == "task #1 is sequential and needs C = 5 ns every T = 4 ns: its utilization is above 1");
  CHECK(in_words(devi_anderson_bounds(tasks, 8).reason()) == in_words(t3.reason()));
}

TEST_CASE("T4: hand-worked") {
  // m = 2: E = 4, M = 0 tasks: x = (4 - 2)/2 = 1.
  const std::array two{task(2, 4, 0), task(3, 6, 0), task(4, 8, 0)};
  REQUIRE(devi_anderson_bounds(two, 2));
  CHECK(devi_anderson_bounds(two, 2)->R == std::vector{Time(7), Time(10), Time(13)});
  // m = 3, U = 0.75 + 0.5 + 5/6 + 0.5 = 2.58: E = 5 + 4, C_min = 2, M = 5/6, x = 7/(3 - 5/6) = 42/13 = 3.23.
  const std::array three{task(3, 4, 0), task(4, 8, 0), task(5, 6, 0), task(2, 4, 0)};
  const auto bounds = devi_anderson_bounds(three, 3);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{Time(11), Time(16), Time(15), Time(10)});
  CHECK(t3::explain(three, 3, *bounds, 2) == std::vector<std::string>{
                                                 "T4: R = T + x + C, x = max(0, (E - C_min)/(m - M))",
                                                 "m = 3, U = 31/12 (2.583333...), ceil(U) - 1 = 2",
                                                 "E = sum of the 2 largest C_i = 9 ns, C_min = 2 ns",
                                                 "M = sum of the 1 largest u_i = 0.833333...",
                                                 "x = 3.231 ns",
                                                 "R = 6 + 3.231 + 5 = 15 ns, rounded up",
                                             });
}

TEST_CASE("T4: one processor, and times of hours") {
  // U <= 1: no tardiness.
  const std::array one{task(1, 4, 0), task(3, 4, 0)};
  REQUIRE(devi_anderson_bounds(one, 1));
  CHECK(devi_anderson_bounds(one, 1)->R == std::vector{Time(5), Time(7)});
  // As "hand-worked" but 10^13 times longer: x = 42/13 10^13 = 32307692307692.3.
  constexpr std::int64_t k = 10'000'000'000'000;
  const std::array hours{task(3 * k, 4 * k, 0), task(4 * k, 8 * k, 0), task(5 * k, 6 * k, 0), task(2 * k, 4 * k, 0)};
  const auto bounds = devi_anderson_bounds(hours, 3);
  REQUIRE(bounds);
  CHECK(bounds->R[0].count() >= 7 * k + 32'307'692'307'693);
  CHECK(bounds->R[0].count() <= 7 * k + 32'307'692'307'693 + 100);  // M is rounded up to 2^-40
}

TEST_CASE("T3: the explanation holds every number of the formula") {
  const std::array tasks{task(2, 4, 4), task(3, 6, 6), task(4, 8, 8)};
  const auto bounds = t3::response_bounds(tasks, 2);
  REQUIRE(bounds);
  CHECK(t3::explain(tasks, 2, *bounds, 1) == std::vector<std::string>{
                                                 "T3: R = Y' + x + C, x = max(0, (s - C)/m), s = G(s) + S",
                                                 "m = 2, U = 1.5: G(s) sums the 1 largest of x_i(s) u_i + C_i - S_i",
                                                 "S_i = C_i max(0, 1 - Y'_i/T_i), S is their sum",
                                                 "S = 6 ns; sum C_i - (sum C_i Y'_i)/T_i of the tasks with Y'_i < T_i:",
                                                 "  task #0: 2 - 0/4 = 2",
                                                 "  task #1: 3 - 6/6 = 2",
                                                 "  task #2: 4 - 16/8 = 2",
                                                 "s = 9.334 ns",
                                                 "G(s) = 3.334 ns; max(0, s - C_i)/m x C_i/T_i + C_i - S_i:",
                                                 "  task #2: (max(0, 9.334 - 4)/2 x 4/8 + 4 - 2) = 3.334",
                                                 "G(s) + S = 3.334 + 6 = 9.334 <= s",
                                                 "Y' = Y - min Y = 6 - 4 = 2 ns",
                                                 "x = max(0, (9.334 - 3)/2)",
                                                 "R = 2 + x + 3 = 9 ns, rounded up",
                                             });
}

TEST_CASE("T3: equals the exhaustive search over all choices of competitors") {
  std::mt19937_64 random(20240611);
  const auto pick = [&](std::int64_t from, std::int64_t to) { return std::uniform_int_distribution(from, to)(random); };
  int checked = 0;
  for (int round = 0; round < 3000; ++round) {
    const auto m = static_cast<unsigned>(pick(1, 5));
    std::vector<Task> tasks;
    const std::int64_t scale = std::array<std::int64_t, 3>{1, 1'000'000, 1'000'000'000'000'000}[static_cast<std::size_t>(round) % 3];
    const auto n = static_cast<std::size_t>(pick(1, 8));
    while (tasks.size() < n) {
      const std::int64_t T = pick(1, 30);
      const std::int64_t C = pick(1, T);
      tasks.push_back(task(C * scale, T * scale, pick(-10, 2 * T) * scale));
    }
    const auto bounds = t3::response_bounds(tasks, m);
    Rational U = 0;
    for (const Task& t : tasks) U += Rational(t.C.count(), t.T.count());
    REQUIRE(static_cast<bool>(bounds) == (U <= m));
    if (!bounds) continue;
    ++checked;
    const std::vector<Rational> exact = exhaustive_bounds(tasks, m);
    for (std::size_t i = 0; i < n; ++i) {
      const Rational above = bounds->R[i].count() - exact[i];
      CHECK(above >= 0);
      CHECK(above < 1 + Rational(1, 1000) + Rational(scale, 1'000'000'000'000));  // one ns, terms of 2^-16 ns, the steering's precision
    }
  }
  CHECK(checked > 1000);
}

// The root is a whole ns here, and sums of doubles in another order had steered past it: 9 in place of 8.
TEST_CASE("T3's bounds do not depend on the order of the tasks") {
  std::vector<Task> tasks{task(1, 3, 3), task(2, 5, -6), task(3, 7, 1), task(8, 8, 1), task(2, 3, -3)};
  const auto by_task = [](const std::vector<Task>& of) {
    const auto bounds = t3::response_bounds(of, 3);
    REQUIRE(bounds);
    std::vector<std::pair<Time, Time>> all;  // T and Y tell the tasks apart
    for (std::size_t i = 0; i < of.size(); ++i) all.emplace_back(of[i].Y * 100 + of[i].T, bounds->R[i]);
    std::ranges::sort(all);
    return all;
  };
  const auto expected = by_task(tasks);
  const auto less = [](const Task& a, const Task& b) { return std::pair(a.Y, a.T) < std::pair(b.Y, b.T); };
  std::ranges::sort(tasks, less);
  do {
    CHECK(by_task(tasks) == expected);
  } while (std::ranges::next_permutation(tasks, less).found);
}
