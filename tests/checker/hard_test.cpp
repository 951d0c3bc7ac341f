// Certificates of T16 to T18, with the numbers of docs/theory/hard.md.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "certified.hpp"

namespace {

using rta::test::by_hand;
using rta::test::first_refused;

/// Of a task: C, T = D, R and its rule.
struct Task {
  int C, T, R;
  const char* rule;
};

/// Under FP the first ones are the more urgent; else Y = D.
std::string refused(const std::vector<Task>& tasks, const char* scheduler = "G-EDF", const char* release = "completion") {
  const bool fixed = std::string(scheduler) == "FP";
  std::string file = fmt::format("platform: {{cpu: {{processors: 2, scheduler: {}}}}}\ntime_unit: ns\ntasks:\n", scheduler);
  std::string text = fmt::format("release {}\n", release);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto& [C, T, R, rule] = tasks[i];
    file +=
        fmt::format("  - {{name: t{}, on: cpu, C: {}, T: {}, D: {}{}}}\n", i, C, T, T, fixed ? fmt::format(", priority: {}", 9 - i) : "");
    text += fmt::format("bound {} 0 0 {} {} {}\nend {} {}\n", i, R, fixed ? "-" : std::to_string(T), rule, i, R);
  }
  return first_refused(file, by_hand(file, text + "verdict schedulable\n"));
}

void refused_one_less(const std::vector<Task>& tasks, const char* scheduler = "G-EDF") {
  CHECK(refused(tasks, scheduler) == "");
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    auto lower = tasks;
    --lower[i].R;
    CAPTURE(i);
    CHECK(refused(lower, scheduler) != "");
  }
}

std::vector<Task> three(int C, int T, int R, const char* rule) { return std::vector<Task>(3, {C, T, R, rule}); }

constexpr const char* busy_longer = "the others may keep all processors busy for longer";

}  // namespace

// The other two do min(W(4), E(0)) = min(N(6), N(4)) = 2: 2 + 2 <= 2 x 2, 2 + 2 < 2 x 3; for 3 they do 2 + 2 = 2 x 2.
TEST_CASE("T16 from the release: three times (2, 6) end within 4, on completion and at offsets") {
  refused_one_less(three(2, 6, 4, "T16 release"));
  CHECK(refused(three(2, 6, 4, "T16 release"), "G-EDF", "offsets") == "");
  CHECK(refused(three(2, 6, 3, "T16 release")).find(busy_longer) != std::string::npos);
  CHECK(refused(three(2, 6, 4, "T16 release"), "G-EDF", "early").find("at offsets or on completion") != std::string::npos);
  CHECK(refused(three(2, 6, 7, "T16 release")).find("above T") != std::string::npos);
}

// Under FIFO nothing is preempted: the same numbers with equal Y.
TEST_CASE("T16 without preemption: under FIFO alone") {
  refused_one_less(three(2, 6, 4, "T16 release"), "FIFO, preemptive: false");
  CHECK(refused(three(2, 6, 4, "T16 release"), "G-EDF, preemptive: false").find("preemptive processors") != std::string::npos);
}

// (1, 4), (1, 4), (2, 8): N(3) = W(3) = 1 each, 1 + 1 <= 2 x 1 and 2 < 2 x 2.
TEST_CASE("T16 under fixed priorities: 1, 1 and 3") {
  refused_one_less({{1, 4, 1, "T16 busy"}, {1, 4, 1, "T16 busy"}, {2, 8, 3, "T16 busy"}}, "FP");
  CHECK(refused({{1, 4, 1, "T16 release"}}, "FP").find("for priority points") != std::string::npos);
  CHECK(refused({{1, 4, 4, "T17"}}, "FP").find("for priority points") != std::string::npos);
}

// (1, 2), (2, 3), (3, 7): the first two cannot wait for more than 1 at any A; the third is known by its release.
TEST_CASE("T16 by the busy window, at every A at once") {
  refused_one_less({{1, 2, 2, "T16 busy"}, {2, 3, 3, "T16 busy"}, {3, 7, 7, "T16 release"}});
  CHECK(refused({{1, 2, 2, "T16 release"}, {2, 3, 3, "T16 busy"}, {3, 7, 7, "T16 release"}}).find(busy_longer) != std::string::npos);
}

TEST_CASE("T17: 1 <= 2 - 1/3; 7/5 is above 2 - 1") {
  refused_one_less(three(2, 6, 6, "T17"));
  CHECK(refused({{1, 5, 5, "T17"}, {1, 5, 5, "T17"}, {6, 6, 6, "T17"}}).find("above m - (m-1) max C/Y") != std::string::npos);
}

// sigma = 1/3: f_i(t) <= t/3, so the sum is at most t, and the rate 2 - 1/3. With sigma = 1 the rate is 1 = U.
TEST_CASE("T18: three times (2, 6) with sigma = 1/3, and no less than C/Y") {
  refused_one_less(three(2, 6, 6, "T18 1/3"));
  CHECK(refused(three(2, 6, 6, "T18 1/4")).find("sigma is below C/Y") != std::string::npos);
  CHECK(refused(three(2, 6, 6, "T18 1")).find("U < m - (m-1) sigma") != std::string::npos);
  CHECK(refused(three(2, 6, 6, "T18 0")).find("sigma is below C/Y") != std::string::npos);
  CHECK_THROWS_AS(static_cast<void>(refused(three(2, 6, 6, "T18 one"))), checker::BadInput);
}

// Three times (4, 6), sigma = 2/3: just before t = 6 each may do 4, 12 > (2 - 2/3) 6 = 8; U = 2 is above the rate, too. (3, 6) and (3, 6),
// (1, 9): sigma = 1/2, rate 3/2: at 6 they do 3 + 3 + 1/2 <= 9.
TEST_CASE("T18: the load is looked at") {
  CHECK(refused(three(4, 6, 6, "T18 2/3")) != "");
  CHECK(refused({{3, 6, 6, "T18 1/2"}, {3, 6, 6, "T18 1/2"}, {1, 9, 9, "T18 1/2"}}) == "");
}

TEST_CASE("a rule of T16 names its window") {
  CHECK_THROWS_AS(static_cast<void>(refused(three(2, 6, 4, "T16"))), checker::BadInput);
  CHECK_THROWS_AS(static_cast<void>(refused(three(2, 6, 4, "T16 sometimes"))), checker::BadInput);
}
