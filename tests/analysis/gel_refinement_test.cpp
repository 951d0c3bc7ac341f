#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

#include "analysis/cpu/gel_pieces.hpp"
#include "analysis/cpu/gel_release.hpp"
#include "rta/analysis/cpu/gel.hpp"
#include "rta/model/error.hpp"
#include "support/explained.hpp"
#include "support/gel_simulation.hpp"

namespace {

using rta::Time;
using rta::Wide;
using rta::analysis::Theorem;
using rta::analysis::gel::bounds_from_proven;
using rta::analysis::gel::Refinement;
using rta::analysis::gel::response_bounds;
using rta::analysis::gel::Task;
using rta::test::GelJob;
using rta::test::simulate_gel;

Task task(std::int64_t C, std::int64_t T, std::int64_t Y) { return {Time(C), Time(T), Time(Y)}; }

// `count` jobs of a task, one per period from `first` on.
void add_periodic(std::vector<GelJob>& jobs, std::size_t index, const Task& t, std::int64_t first, int count) {
  for (int j = 0; j < count; ++j) {
    const std::int64_t release = first + j * t.T.count();
    jobs.push_back({index, release, t.C.count(), release + t.Y.count()});
  }
}

}  // namespace

TEST_CASE("T1e: hand-worked, ceil(U) = m") {
  // Y' = 0, 2, 4, U = 1.5, carry = 4. A jumps to 2 at x = 0, 5 at 2, 11 at 4, 16 at 8, 22 at 12, ...; A(x) <= 1.5 x + 6.
  // A - 2x is 2, 1, 3, 0, ..., and at most 6 - x/2 <= 2 from x = 8 on: the supremum is 3, at x = 4 (sum V = 6).
  // W = 4 + 3: R_1 = 3.5 + 1 -> 5, R_2 = 2 + 3.5 + 1.5 = 7, R_3 = 4 + 3.5 + 2 -> 10. T1: W = 10, R = 6, 9 (8.5), 11.
  const std::array tasks{task(2, 4, 4), task(3, 6, 6), task(4, 8, 8)};
  const auto plain = response_bounds(tasks, 2);
  REQUIRE(plain);
  CHECK(plain->R == std::vector{Time(6), Time(9), Time(11)});
  const auto bounds = response_bounds(tasks, 2, Refinement::demand);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{Time(5), Time(7), Time(10)});
  CHECK(bounds->terms.demand == rta::analysis::fine(Time(3)));
  CHECK(bounds->theorem[0] == Theorem::T1e);
  CHECK(rta::test::explained(tasks, 2, *bounds, 2) ==
        std::vector<std::string>{
            "T1e: R = Y' + (carry + demand)/m + (m-1)/m C",
            "m = 2, U = 1.5, ceil(U) = 2",
            "c = 2, between ceil(U) and m",
            "Y' = Y - min Y = 8 - 4 = 4 ns",
            "carry = (c - 1) C_max = 1 x 4 = 4 ns",
            "demand = sup over x >= 0 of sum over Y'_i <= x of (floor((x - Y'_i)/T_i) + 1) C_i - c x <= 3 ns",
            "it is reached at x = 4 ns: 11 - 2 x 4 = 3 ns; (x - Y'_i)/T_i, n_i, n_i x sum C_i:",
            "  task #0: 4/4, n_i = 2, 2 x 2 = 4",
            "  task #1: 2/6, n_i = 1, 1 x 3 = 3",
            "  task #2: 0/8, n_i = 1, 1 x 4 = 4",
            "R = 4 + (4 + 3)/2 + 1/2 x 4 = 10 ns, rounded up",
        });
}

TEST_CASE("T1e: more busy processors than ceil(U) can be better") {
  // (1,10,0) and five times (2,16,6): U = 0.725, sum V = 1 + 10 (1 - 6/16) = 7.25. c = 1: A(6) - 6 = 11 - 6 = 5 and no carry.
  // c = 2: the supremum is 1, at x = 0 (11 - 12 < 0 at x = 6), carry = 2: W = 3.
  // R_1 = 1.5 + 0.5 = 2, the others 6 + 1.5 + 1 -> 9. T1: R_1 = 3.625 + 0.5 -> 5, the others 6 + 3.625 + 1 -> 11.
  std::vector<Task> tasks{task(1, 10, 0)};
  tasks.insert(tasks.end(), 5, task(2, 16, 6));
  const auto bounds = response_bounds(tasks, 2, Refinement::demand);
  REQUIRE(bounds);
  CHECK(bounds->terms.c == 2);
  CHECK(bounds->R == std::vector{Time(2), Time(9), Time(9), Time(9), Time(9), Time(9)});
  CHECK(response_bounds(tasks, 2)->R == std::vector{Time(5), Time(11), Time(11), Time(11), Time(11), Time(11)});
}

TEST_CASE("T1e: U = c exactly, to the end of the hyperperiod") {
  // U = 2/4 + 3/6 = 1 = c = m. A(x) - x: 2 at 0, 2 at 3, 3 at 4, 1 at 8, 3 at 9, then again every 12. sum V = 3.5.
  // R_1 = 3, R_2 = 3 + 3 = 6. T1: 4 (3.5) and 7 (6.5).
  const std::array tasks{task(2, 4, 0), task(3, 6, 3)};
  const auto bounds = response_bounds(tasks, 1, Refinement::demand);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{Time(3), Time(6)});
  CHECK(response_bounds(tasks, 1)->R == std::vector{Time(4), Time(7)});
}

TEST_CASE("T1e: equals an enumeration of every instant") {
  std::mt19937_64 random(3);
  const auto pick = [&](std::int64_t from, std::int64_t to) { return std::uniform_int_distribution(from, to)(random); };
  int exact = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto m = static_cast<std::uint32_t>(pick(1, 4));
    std::vector<Task> tasks;
    for (std::int64_t n = pick(1, 5); n > 0; --n) tasks.push_back(task(pick(1, 8), pick(1, 6) * 2, pick(0, 15)));
    const auto plain = response_bounds(tasks, m);
    const auto bounds = response_bounds(tasks, m, Refinement::demand);
    REQUIRE(static_cast<bool>(plain) == static_cast<bool>(bounds));
    if (!plain) continue;
    // Periods divide 120, Y' <= 15: past 135 nothing new for any c >= U.
    std::int64_t C_max = 0;
    for (const Task& t : tasks) C_max = std::max(C_max, t.C.count());
    Wide least = plain->terms.carry.count() + plain->terms.demand.count();
    for (std::int64_t c = static_cast<std::int64_t>(plain->terms.ceil_U); c <= m; ++c) {
      std::int64_t sup = 0;
      for (std::int64_t x = 0; x <= 135; ++x) {
        std::int64_t ahead = -c * x;
        for (const Task& t : tasks) {
          const std::int64_t Y = (t.Y - plain->terms.shift).count();
          if (Y <= x) ahead += ((x - Y) / t.T.count() + 1) * t.C.count();
        }
        sup = std::max(sup, ahead);
      }
      least = std::min(least, Wide{(c - 1) * C_max + sup} << rta::analysis::fine_bits);
    }
    CHECK(bounds->terms.carry.count() + bounds->terms.demand.count() == least);
    if (bounds->terms.exact_demand) ++exact;
  }
  CHECK(exact > 300);
}

TEST_CASE("T1e: a walk that would be too long ends early, with a bound between the exact one and T1's") {
  // 1,000 tasks of prime-like periods and U so near to c = m that the walk could go on for ever.
  std::vector<Task> tasks;
  for (std::int64_t i = 0; i < 1000; ++i) {
    const std::int64_t T = 10'000'019 + 2 * i * i + 34 * i;
    tasks.push_back(task(T / 250 - (i == 0 ? 1 : 0), T, i * 1000));
  }
  const auto plain = response_bounds(tasks, 4);
  const auto bounds = response_bounds(tasks, 4, Refinement::demand);
  REQUIRE(plain);
  REQUIRE(bounds);
  CHECK(bounds->terms.demand <= plain->terms.demand);
  for (std::size_t k = 0; k < tasks.size(); ++k) CHECK(bounds->R[k] <= plain->R[k]);
  REQUIRE(bounds->theorem[0] == Theorem::T1e);
  const auto lines = rta::test::explained(tasks, 4, *bounds, 0);
  CHECK(std::any_of(lines.begin(), lines.end(), [](const auto& line) { return line.starts_with("the search ended at x = "); }));
}

TEST_CASE("T1c: hand-worked") {
  // (8,40) and five times (1,2), FIFO, m = 3: U = 2.7, T1: carry = 2 x 8, sum V = 13, W = 29: R = 29/3 + 16/3 = 15 and 31/3 -> 11.
  // At most one job of 8 and six of 1 are left over: carry = 8 + 1, W = 22: R = 38/3 -> 13 and 24/3 = 8. Again: 1 and 4 jobs, the same.
  std::vector<Task> tasks{task(8, 40, 0)};
  tasks.insert(tasks.end(), 5, task(1, 2, 0));
  CHECK(response_bounds(tasks, 3)->R == std::vector{Time(15), Time(11), Time(11), Time(11), Time(11), Time(11)});
  const auto bounds = response_bounds(tasks, 3, Refinement::carry);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{Time(13), Time(8), Time(8), Time(8), Time(8), Time(8)});
  CHECK(bounds->theorem[5] == Theorem::T1c);
  CHECK(rta::test::explained(tasks, 3, *bounds, 0)[3] == "carry: the ceil(U) - 1 = 2 longest of ceil(R_i/T_i) jobs of C_i each, 9 = 9 ns:");
}

TEST_CASE("T1c: one job per task is not safe") {
  // (C,T) = (13,3), (4,12), (1,5) in units of 10 ns, FIFO, m = 5: U = 13/3 + 4/12 + 1/5 = 4.87. With one piece per task the carry would be
  // 13 + 4 + 1 and W = 18 + 18: R_1 = 36/5 + 4/5 x 13 = 17.6. The schedule below shows 18. (T1c counts ceil(R_1/3) jobs of 13: carry = 4
  // x 13.)
  const std::array tasks{task(130, 30, 0), task(40, 120, 0), task(10, 50, 0)};
  std::vector<GelJob> jobs;
  add_periodic(jobs, 1, tasks[1], 120, 3);
  for (const std::int64_t release : {120, 240, 360}) jobs.push_back({2, release, 10, release});
  add_periodic(jobs, 0, tasks[0], 0, 13);  // last in ties
  const std::vector<std::int64_t> response = simulate_gel(jobs, 5);
  const std::int64_t worst = *std::max_element(response.end() - 13, response.end());
  CHECK(worst == 180);
  CHECK(5 * worst > 360 + 4 * 130);
  for (const Refinement refinement : {Refinement::none, Refinement::carry, Refinement::all}) {
    const auto bounds = response_bounds(tasks, 5, refinement);
    REQUIRE(bounds);
    for (std::size_t j = 0; j < jobs.size(); ++j) CHECK(response[j] <= bounds->R[jobs[j].task].count());
  }
}

TEST_CASE("T1: (ceil(U) - 2) C_max is not enough carry") {
  // FIFO, m = 2, (1,4) and (5,4): U = 1.5. No carry at all would give R_2 = (6 + 5)/2 = 5.5. Jobs of 5 at 0 and 4, one of 1 at 4 that goes
  // first: the second job of 5 starts when the first ends, at 5, and takes 6.
  const std::array tasks{task(1, 4, 0), task(5, 4, 0)};
  std::vector<GelJob> jobs;
  add_periodic(jobs, 0, tasks[0], 4, 1);
  add_periodic(jobs, 1, tasks[1], 0, 2);
  const std::vector<std::int64_t> response = simulate_gel(jobs, 2);
  CHECK(response == std::vector<std::int64_t>{1, 5, 6});
  CHECK(2 * response[2] > 6 + 5);
  for (const Refinement refinement : {Refinement::none, Refinement::all}) {
    const auto bounds = response_bounds(tasks, 2, refinement);
    REQUIRE(bounds);
    CHECK(bounds->R[1].count() >= 6);
  }
}

TEST_CASE("T1r and T1re: hand-worked") {
  // m = 2, (4,8,8) and (6,8,4): U = 1.25. T1: Y' = 4 and 0, carry 6, sum V = 2 + 6: 4 + 14/2 + 2 = 13 and 14/2 + 3 = 10.
  // T1r: 4 + (6 + 4 + 6 (1 + 4/8) - 4)/2 = 11.5 and 6 + (6 + 6 + 4 (1 - 4/8) - 6)/2 = 10.
  // T1re, task 1: n_1 4 + n_2 6 - 2x is 10 at x = 0, 8 at 4, 4 at 8: 4 + (6 + 10 - 4)/2 = 10. Task 2: 6 at 0, 2 at 4: 6 + (6 + 6 - 6)/2
  // = 9. T1n from 10 and 9: n = 2, 2 and 1, 2: 4 + (8 + 12 - 4)/2 = 12 and 6 + (4 + 12 - 6)/2 = 11, no less.
  const std::array tasks{task(4, 8, 8), task(6, 8, 4)};
  const std::vector T1{Time(13), Time(10)};
  CHECK(response_bounds(tasks, 2)->R == T1);
  rta::analysis::gel::Pieces pieces(tasks);
  pieces.count(tasks, T1);
  std::size_t pairs = 100;
  const rta::analysis::gel::FromRelease linear(tasks, 2, 2, pairs);
  CHECK(pairs == 96);
  std::vector<Time> R = T1;
  CHECK(linear.lower(pieces, R));
  CHECK(R == std::vector{Time(12), Time(10)});
  CHECK(linear.origin(pieces, 0, Time(12))->theorem == Theorem::T1r);
  CHECK_FALSE(linear.origin(pieces, 0, Time(11)));
  pairs = 3;
  const rta::analysis::gel::FromRelease left_out(tasks, 2, 2, pairs);
  CHECK_FALSE(left_out.lower(pieces, R));
  CHECK(pairs == 3);

  const auto bounds = response_bounds(tasks, 2, Refinement::response);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{Time(10), Time(9)});
  CHECK(bounds->theorem == std::vector{Theorem::T1re, Theorem::T1re});
  CHECK(rta::test::explained(tasks, 2, *bounds, 0) ==
        std::vector<std::string>{
            "T1re: R = C + (carry + demand - C)/m, the work before the job that is left at its release or released from then on",
            "m = 2, U = 1.25, ceil(U) = 2",
            "c = 2, between ceil(U) and m",
            "carry: the c - 1 = 1 longest of ceil(R_i/T_i) jobs of C_i each, 6 = 6 ns:",
            "  task #1: ceil(9/8) = 2, 2 pieces, 1 of them, 1 x 6 = 6",
            std::string("demand = sup over x >= 0 of sum n_i C_i - c x, n_i = max(0, floor((x + Y - Y_i)/T_i) + 1), with Y = 8 ns; ") +
                "it is reached at x = 0 ns:",
            "10 - 2 x 0 = 10 ns; (x + Y - Y_i)/T_i, n_i, n_i x sum C_i:",
            "  task #0: 0/8, n_i = 1, 1 x 4 = 4",
            "  task #1: 4/8, n_i = 1, 1 x 6 = 6",
            "R = 4 + (6 + 10 - 4)/2 <= 10 ns, rounded up",
        });
  auto by_T1r = *bounds;
  by_T1r.theorem[0] = Theorem::T1r;
  by_T1r.R[0] = Time(12);
  CHECK(rta::test::explained(tasks, 2, by_T1r, 0) ==
        std::vector<std::string>{
            "T1r: R = C + (carry + demand - C)/m, the work before the job that is left at its release or released from then on",
            "m = 2, U = 1.25, ceil(U) = 2",
            "carry: the ceil(U) - 1 = 1 longest of ceil(R_i/T_i) jobs of C_i each, 6 = 6 ns:",
            "  task #1: ceil(9/8) = 2, 2 pieces, 1 of them, 1 x 6 = 6",
            "demand = sum over the pool's 2 tasks of C_i max(0, 1 - (Y_i - Y)/T_i) = 13 ns, Y = 8 ns,",
            "of those with Y_i - Y < T_i: sum C_i - (sum C_i (Y_i - Y))/T_i:",
            "  task #0: 4 - 0/8 = 4",
            "  task #1: 6 + 24/8 = 9",
            "R = 4 + (6 + 13 - 4)/2 <= 12 ns, rounded up",
        });
}

TEST_CASE("T1re: a long period under G-EDF") {
  // m = 1, (1,2,2) and (4,10,10): U = 0.9. T1: Y' = 0 and 8: 1 + 4 (1 - 8/10) = 1.8 and 8 + 1.8 = 9.8.
  // T1re, task 1: n_1 + 4 n_2 - x is 1 at x = 0 and 5 + 4 - 8 = 1 at 8: 1. Task 2: n_1 = floor((x + 8)/2) + 1: 5 + 4 at x = 0, less
  // later: 9.
  const std::array tasks{task(1, 2, 2), task(4, 10, 10)};
  CHECK(response_bounds(tasks, 1)->R == std::vector{Time(2), Time(10)});
  CHECK(response_bounds(tasks, 1, Refinement::response)->R == std::vector{Time(1), Time(9)});
}

TEST_CASE("T1n: hand-worked, round by round") {
  // m = 1, (2,10,0) and (3,10,8). T1: sum V = 2 + 3 x 2/10 = 2.6: R = 2.6 -> 3 and 8 + 2.6 -> 11.
  // Round 1. Task 1: n_2 = ceil((11 - 8)/10) = 1, 2 + 3 = 5, not below 3. Task 2: n_2 = ceil(11/10) = 2; from R = 3: n_1 = ceil(6/10) = 1,
  // 3 + (2 + 6 - 3) = 8; n_1 = ceil((3 + 8)/10) = 2, 10; n_1 = 2 again (R is past Y_2 - Y_1 = 8): R_2 = 10.
  // Round 2: n_2 = 1: from 3, n_1 = 1, 5; n_1 = ceil(8/10) = 1: R_2 = 5. Round 3: n_2 of task 1 = ceil((5 - 8)/10) = 0: R_1 = 2.
  const std::array tasks{task(2, 10, 0), task(3, 10, 8)};
  std::vector<Time> R{Time(3), Time(11)};
  CHECK(response_bounds(tasks, 1)->R == R);
  R = bounds_from_proven(tasks, 1, R);
  CHECK(R == std::vector{Time(3), Time(10)});
  R = bounds_from_proven(tasks, 1, R);
  CHECK(R == std::vector{Time(3), Time(5)});
  R = bounds_from_proven(tasks, 1, R);
  CHECK(R == std::vector{Time(2), Time(5)});
  CHECK(bounds_from_proven(tasks, 1, R) == R);
  for (const Refinement refinement : {Refinement::response, Refinement::all}) {
    const auto bounds = response_bounds(tasks, 1, refinement);
    REQUIRE(bounds);
    CHECK(bounds->R == R);
    CHECK(bounds->theorem[1] == Theorem::T1n);
    CHECK(rta::test::explained(tasks, 1, *bounds, 1) ==
          std::vector<std::string>{
              "T1n: R = C + (sum n_i C_i - C)/m, n_i = max(0, ceil((R_i + min(R, Y - Y_i))/T_i)), with the bounds R_i of the pool's tasks",
              "sum n_i C_i = 5 ns in 2 jobs of the pool's 2 tasks; (R_i + min(R, Y - Y_i))/T_i, n_i, n_i x sum C_i:",
              "  task #0: 7/10, n_i = 1, 1 x 2 = 2",
              "  task #1: 5/10, n_i = 1, 1 x 3 = 3",
              "R = 3 + (5 - 3)/1 <= 5 ns",
          });
    const rta::analysis::TaskNames one_dag{{"dag[0] ... dag[1]"}, {{0, "u"}, {0, "v"}}};
    CHECK(rta::test::explained(tasks, 1, *bounds, 1, one_dag)[2] ==
          "  dag[0] ... dag[1] (u, v), 2 tasks: 5/10 to 7/10, n_i = 1, 1 x 5 = 5");
  }
}

TEST_CASE("T1n: bad input") {
  const std::array tasks{task(2, 10, 0)};
  CHECK_THROWS_AS((void)bounds_from_proven(tasks, 1, {}), rta::Defect);
  CHECK_THROWS_AS((void)bounds_from_proven(tasks, 0, std::array{Time(5)}), rta::Defect);
  CHECK_THROWS_AS((void)bounds_from_proven(tasks, 1, std::array{Time(1)}), rta::Defect);  // less than C: proven by nobody
}

TEST_CASE("T1, refined: no work at all") {
  const std::array idle{task(0, 10, 3), task(0, 10, 0)};
  const auto bounds = response_bounds(idle, 3, Refinement::all);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{Time(3), Time(0)});
}

TEST_CASE("T1, refined: astronomical numbers of processors cost nothing") {
  const std::array tasks{task(8, 40, 0), task(1, 2, 1)};
  const auto bounds = response_bounds(tasks, 4'000'000'000U, Refinement::all);
  REQUIRE(bounds);
  // T1e: A(x) - x is 8 at 0 and at 1, W = 8: R_1 = (8 + (m - 1) 8)/m = 8. T1n: R_2 = 1 + 8/m, rounded up.
  CHECK(bounds->R == std::vector{Time(8), Time(2)});
}

TEST_CASE("T1n: a fixed point that is a billion rounds away is not waited for") {
  // U is within 10^-5 of 1, and the last task's bound grows by about a microsecond each round: within the budget it stays what T1 proves.
  const std::array tasks{task(201, 1009, 1009), task(339, 1013, 1013), task(475, 1019, 1019),
                         task(10'000, 3'600'000'000'000, 3'600'000'000'000)};
  const auto plain = response_bounds(tasks, 1);
  const auto refined = response_bounds(tasks, 1, Refinement::response);
  REQUIRE(plain);
  REQUIRE(refined);
  CHECK(refined->R[3] <= plain->R[3]);
  CHECK(refined->R[0] <= plain->R[0]);
}
