#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "analysis/explain/sequential_lines.hpp"
#include "rta/analysis/cpu/gel.hpp"
#include "rta/analysis/cpu/gel_sequential.hpp"
#include "support/explained.hpp"

namespace {

using namespace rta::analysis::gel;
using rta::Time;
using rta::analysis::Theorem;
namespace gel_sequential = rta::analysis::gel_sequential;

Task task(std::int64_t C, std::int64_t T, std::int64_t Y) { return {Time(C), Time(T), Time(Y)}; }

std::vector<Time> times(std::initializer_list<std::int64_t> ns) {
  std::vector<Time> all;
  for (const std::int64_t t : ns) all.emplace_back(t);
  return all;
}

}  // namespace

TEST_CASE("T1b and T1be: hand-worked") {
  // m = c = 2, (4,8,8), (6,8,4). First round, nothing known: Q_2 = 12, Q_1 = 6; for the second N_1 = 4, carry min(12, 6 + 4) = 10, D = 6 +
  // 4/2: 6 + (10 + 8 - 6)/2 = 12. For the first N = 0, carry 6, D = 4 + 6 x 3/2: 4 + (6 + 13 - 4)/2 = 11.5. Counted: ceil(12/8) = 2 each:
  // no less. T1be: D = 10 and 6: 10 and 11.
  const std::array tasks{task(4, 8, 8), task(6, 8, 4)};
  CHECK(non_preemptive_bounds(tasks, 2)->R == times({12, 12}));
  CHECK(non_preemptive_bounds(tasks, 2, Refinement::carry)->R == times({12, 12}));
  const auto bounds = non_preemptive_bounds(tasks, 2, Refinement::all);
  REQUIRE(bounds);
  CHECK(bounds->R == times({10, 11}));
  CHECK(bounds->theorem == std::vector{Theorem::T1be, Theorem::T1be});
  CHECK(rta::test::explained(tasks, 2, *bounds, 1) ==
        std::vector<std::string>{
            "T1be: R = C + (carry + started + demand - C)/m, the work before the job that is left at its release or released from then on",
            "m = 2, U = 1.25, ceil(U) = 2",
            "c = 2, between ceil(U) and m",
            "carry: the 1 longest of ceil(R_i/T_i) jobs of C_i each = 6 ns:",
            "  task #1: ceil(11/8) = 2, 2 pieces, 1 of them, 1 x 6 = 6",
            "started before: the 1 longest of ceil(min(R_i, Y_i - Y)/T_i) jobs of C_i each, Y_i > Y = 4 ns, = 4 ns:",
            "  task #0: ceil(4/8) = 1, 1 piece, 1 x 4 = 4",
            std::string("demand = sup over x >= 0 of sum n_i C_i - c x, n_i = max(0, floor((x + Y - Y_i)/T_i) + 1), with Y = 4 ns; ") +
                "it is reached at x = 0 ns:",
            "6 - 2 x 0 = 6 ns; (x + Y - Y_i)/T_i, n_i, n_i x sum C_i:",
            "  task #0: -4/8, n_i = 0, 0 x 4 = 0",
            "  task #1: 0/8, n_i = 1, 1 x 6 = 6",
            "R = 6 + (6 + 4 + 6 - 6)/2 <= 11 ns, rounded up",
        });
}

TEST_CASE("T1b: one piece on each processor, at whichever instant") {
  // m = 4, c = 1, T = 100, Y = T but for the last, whose Y is 50: 1, 10, 10, 10, 10 and 4. N of the last: 10, 10, 10, 10; Q_0 + N_4 = 40 is
  // more than nothing less: Q_1 + N_3 = 40. D = 4 + 40 (1 - 50/100) + 1/2: R = 4 + (40 + 24.5 - 4)/4 = 19.125.
  const std::array tasks{task(1, 100, 100),  task(10, 100, 100), task(10, 100, 100),
                         task(10, 100, 100), task(10, 100, 100), task(4, 100, 50)};
  CHECK(non_preemptive_bounds(tasks, 4)->R.back() == Time(20));
  // T1be: D = 4, at x = 0: 4 + 40/4.
  CHECK(non_preemptive_bounds(tasks, 4, Refinement::all)->R.back() == Time(14));
}

TEST_CASE("T1bn: hand-worked") {
  // m = 1. The first: N = 8, D = 1 at x = 0: 1 + 8 by T1be. The second: D = 8 + 2 by T1be, but if it ends by 9 it starts by 1: n_1 =
  // ceil((9 + 1)/10): 8 + 1. Up to its end there would be ceil((9 + 9)/10) = 2.
  const std::array tasks{task(1, 10, 5), task(8, 20, 20)};
  const auto bounds = non_preemptive_bounds(tasks, 1, Refinement::all);
  REQUIRE(bounds);
  CHECK(bounds->R == times({9, 9}));
  CHECK(bounds->theorem == std::vector{Theorem::T1be, Theorem::T1bn});
  CHECK(bounds_from_proven(tasks, 1, bounds->R)[1] == Time(9));  // T1n lowers nothing
  CHECK(rta::test::explained(tasks, 1, *bounds, 1) ==
        std::vector<std::string>{
            std::string("T1bn: R = C + (sum n_i C_i - C + started)/m, n_i = max(0, ceil((R_i + min(R - C, Y - Y_i))/T_i)), ") +
                "with the bounds R_i of the pool's tasks; nothing is preempted",
            "sum n_i C_i = 9 ns; (R_i + min(R - C, Y - Y_i))/T_i, n_i, n_i x sum C_i:",
            "  task #0: 10/10, n_i = 1, 1 x 1 = 1",
            "  task #1: 9/20, n_i = 1, 1 x 8 = 8",
            "started before: the 1 longest of ceil(min(R_i, Y_i - Y)/T_i) jobs of C_i each, Y_i > Y = 20 ns, = 0 ns:",
            "R = 8 + (9 - 8 + 0)/1 <= 9 ns",
        });
}

TEST_CASE("T1b under FIFO is T1r") {
  const std::array tasks{task(8, 40, 0), task(1, 2, 0), task(1, 2, 0), task(1, 2, 0), task(1, 2, 0), task(1, 2, 0)};
  CHECK(non_preemptive_bounds(tasks, 3, Refinement::carry)->R == response_bounds(tasks, 3, Refinement::carry)->R);
}

TEST_CASE("T1b: overload, full load, no work, no task") {
  const std::array over{task(4, 4, 4), task(4, 4, 4), task(1, 100, 7)};
  CHECK_FALSE(non_preemptive_bounds(over, 2));
  CHECK(non_preemptive_bounds(std::array{task(4, 4, 4), task(4, 4, 9)}, 2));
  CHECK(non_preemptive_bounds(std::array{task(0, 4, 4), task(0, 4, 9)}, 2)->R == times({0, 0}));
  CHECK(non_preemptive_bounds({}, 2)->R.empty());
}

TEST_CASE("T1b: with more points than there is time for, what blocks the earliest is taken for all") {
  std::vector<Task> tasks;
  for (std::int64_t i = 0; i < 4000; ++i) tasks.push_back(task(1 + i % 7, 10'000 + i, i));
  const auto bounds = non_preemptive_bounds(tasks, 4, Refinement::all);
  REQUIRE(bounds);
  // For the least Y both are the same: Q_c and N are ones of 7, D is T1's sum.
  CHECK(bounds->R.front() <= bounds->R.back());
  CHECK(bounds->R.back() < Time(20'000));
}

TEST_CASE("T3b: hand-worked") {
  // m = 2, (5,5,5), (4,5,6): Y' = 0, 1, S = 5 + 3.2, c = 2: J = (s - 5)/2 + 4 - 3.2: s = 13.
  const std::array tasks{task(5, 5, 5), task(4, 5, 6)};
  const auto bounds = gel_sequential::non_preemptive_bounds(tasks, 2);
  REQUIRE(bounds);
  CHECK(bounds->R == times({9, 10}));
  CHECK(bounds->carriers == 1);
  const auto lines = gel_sequential::explain(tasks, 2, *bounds, 1);
  REQUIRE(lines.size() == 15);
  CHECK(lines[0] == "T3b: R = Y' + x + C, x = max(0, (s - C)/m), s = G(s) + S; nothing is preempted");
  CHECK(lines[1] == "m = 2, U = 1.8, c = 2: G(s) = min(J + N_(m-c), g_(c-1) + N_(m-c+1)); g_i = x_i(s) u_i + C_i - S_i");
  CHECK(lines[6] == "s = 13 ns");
  CHECK(lines[7] == "g_(c-1) = 4.4 ns, the 1 largest g_i; max(0, s - C_i)/m x C_i/T_i + C_i - S_i:");
  CHECK(lines[8] == "  task #1: (max(0, 13 - 4)/2 x 4/5 + 4 - 3.201) = 4.4");
  CHECK(lines[9] == "J = 4.8 ns, the most that 1 tasks' g_i sum to with C_j - S_j of one more with Y'_j > 0");
  CHECK(lines[10] == "N_(m-c) = 0 ns and N_(m-c+1) = 4 ns, the 0 and 1 longest C_i with Y'_i > 0");
  CHECK(lines[11] == "G(s) + S = min(4.8 + 0, 4.4 + 4) + 8.201 = 13 <= s");
  CHECK(lines[14] == "R = 1 + x + 4 = 10 ns, rounded up");
  // FIFO: nothing blocks, T3's bounds.
  const std::array fifo{task(5, 5, 0), task(4, 5, 0), task(1, 9, 0)};
  CHECK(gel_sequential::non_preemptive_bounds(fifo, 2)->R == gel_sequential::response_bounds(fifo, 2)->R);
  CHECK_FALSE(gel_sequential::non_preemptive_bounds(std::array{task(6, 5, 5)}, 2));
  CHECK_FALSE(gel_sequential::non_preemptive_bounds(std::array{task(5, 5, 5), task(5, 5, 5), task(1, 5, 5)}, 2));
}
