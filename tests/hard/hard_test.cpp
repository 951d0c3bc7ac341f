// T16 to T18: the numbers of docs/theory/hard.md, the limits of the theorems, and their place among the bounds of an analysis.
#include "rta/analysis/hard/hard.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/explain.hpp"
#include "rta/certificate/certificate.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;
using analysis::Theorem;
using analysis::hard::Order;
using analysis::hard::response_bounds;
using analysis::hard::Task;
using analysis::hard::Window;

namespace {

Task edf(std::int64_t C, std::int64_t T, std::int64_t D) { return {Time(C), Time(T), Time(D), Time(D), 0}; }
Task fixed(std::int64_t C, std::int64_t T, FixedPriority priority) { return {Time(C), Time(T), Time(T), Time(0), priority}; }

Node sequential(Time C) {
  Node node = cpu_node("v", C);
  node.sequential = true;
  return node;
}

// T = D = 10 to 17 ms, C = 0.36 T.
std::vector<Dag> eight_tasks() {
  std::vector<Dag> dags;
  for (std::int64_t i = 0; i < 8; ++i) {
    const Time T = 10_ms + 1_ms * i;
    dags.emplace_back("d" + std::to_string(i), T, T, std::vector{sequential(3'600_us + 360_us * i)}, std::vector<Edge>{});
  }
  return dags;
}

}  // namespace

TEST_CASE("T17 accepts three equal tasks, and T16 says when they end") {
  const std::vector<Task> tasks(3, edf(2, 6, 6));
  CHECK(analysis::hard::meets_by_density(tasks, 2));  // 1 <= 2 - 1/3
  const auto bounds = response_bounds(tasks, 2, Order::points);
  REQUIRE(bounds);
  for (std::size_t k = 0; k < 3; ++k) {
    // R = 4: the other two do 2 each; 4 <= 2 x 2, and 4 < 2 x 3.
    CHECK(bounds->R[k] == Time(4));
    CHECK(bounds->theorem[k] == Theorem::T16);
    CHECK(bounds->window[k] == Window::release);
  }
}

TEST_CASE("T17 holds at equality, and (m-1) of the largest density is needed") {
  CHECK(analysis::hard::meets_by_density(std::vector<Task>{edf(1, 2, 2), edf(1, 2, 2), edf(1, 2, 2)}, 2));        // 3/2 <= 2 - 1/2
  CHECK_FALSE(analysis::hard::meets_by_density(std::vector<Task>{edf(1, 5, 5), edf(1, 5, 5), edf(6, 6, 6)}, 2));  // 7/5 > 2 - 1
  CHECK_FALSE(analysis::hard::meets_by_density(std::vector<Task>{edf(2, 2, 1)}, 2));                              // C > D
}

TEST_CASE("T16 under fixed priorities: at most m - 1 tasks carry work in") {
  // (1, 4), (1, 4), (2, 8): R = 3 for the last: 1 + 1 <= 2 x 1, and 2 < 2 x 2.
  const std::vector<Task> tasks{fixed(1, 4, 3), fixed(1, 4, 2), fixed(2, 8, 1)};
  const auto bounds = response_bounds(tasks, 2, Order::fixed);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{Time(1), Time(1), Time(3)});
  CHECK(bounds->window == std::vector(3, Window::busy));
  // One processor, nothing is carried in: 1, 3, 10 as by classic response-time analysis of (1, 4), (2, 6), (3, 13).
  const auto alone = response_bounds(std::vector<Task>{fixed(1, 4, 3), fixed(2, 6, 2), fixed(3, 13, 1)}, 1, Order::fixed);
  REQUIRE(alone);
  CHECK(alone->R == std::vector{Time(1), Time(3), Time(10)});
}

TEST_CASE("equal priorities may go first, both ways") {
  // m = 1: (2, 9) and (3, 9): 5 and 5.
  const auto bounds = response_bounds(std::vector<Task>{fixed(2, 9, 1), fixed(3, 9, 1)}, 1, Order::fixed);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{Time(5), Time(5)});
}

TEST_CASE("T16 by the busy window of a set that T17 refuses") {
  // m = 2, (1, 2), (2, 3), (3, 7), all D = T: 1/2 + 2/3 + 3/7 > 2 - 2/3.
  const std::vector<Task> tasks{edf(1, 2, 2), edf(2, 3, 3), edf(3, 7, 7)};
  CHECK_FALSE(analysis::hard::meets_by_density(tasks, 2));
  const auto bounds = response_bounds(tasks, 2, Order::points);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{Time(2), Time(3), Time(7)});
  CHECK(bounds->window == std::vector{Window::busy, Window::busy, Window::release});
}

TEST_CASE("T18's sigma may lie between the densities of the tasks") {
  // m = 2, (4, 7), and twice (1, 8) with D = 2, in ms. At t = 2 ms they do 4 - 5 sigma + 1 + 1 <= 2 (2 - sigma) from sigma = 2/3 on: 1/2
  // and 4/7, the densities, are too little (3.5 > 3 and 22/7 > 20/7).
  const auto ms = [](std::int64_t C, std::int64_t T, std::int64_t D) { return edf(C * 1'000'000, T * 1'000'000, D * 1'000'000); };
  const std::vector<Task> tasks{ms(4, 7, 7), ms(1, 8, 2), ms(1, 8, 2)};
  CHECK_FALSE(analysis::hard::meets_by_density(tasks, 2));  // 4/7 + 1/2 + 1/2 > 2 - 4/7
  const auto all = analysis::hard::meets_by_load(tasks, 2);
  REQUIRE(all);
  const Wide largest = std::ranges::max(*all, {}, &analysis::hard::Density::sigma).sigma;
  const Wide one = Wide{1} << analysis::hard::Density::bits;
  CHECK(3 * largest >= 2 * one);
  CHECK(3 * largest < 2 * one + 100);
  // Another (1, 8, 2) adds 1 to 6 - 5 sigma: that is 1 too much even with sigma = 4/5, from where on the first carries nothing in.
  CHECK_FALSE(analysis::hard::meets_by_load(std::vector<Task>{tasks[0], tasks[1], tasks[1], tasks[1]}, 2));
}

TEST_CASE("known bounds take part, and stay where nothing is less") {
  const std::vector<Task> tasks(3, edf(2, 6, 6));
  const auto bounds = response_bounds(tasks, 2, Order::points, std::vector(3, Time(3)));
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector(3, Time(3)));
  CHECK(bounds->theorem == std::vector(3, Theorem::none));
}

TEST_CASE("a bound below the one that was known is T16's, also where it became a limit of others") {
  // 4 processors: limits that busy windows lower carry bounds of others, which are printed beside them.
  const std::vector<Task> tasks{edf(8, 48, 48), edf(2, 19, 19),  edf(1, 22, 22), edf(8, 26, 26), edf(4, 19, 16), edf(1, 5, 5),
                                edf(2, 43, 3),  edf(13, 47, 47), edf(3, 32, 32), edf(1, 28, 28), edf(4, 11, 5),  edf(18, 55, 42)};
  std::vector<Time> known;
  for (const std::int64_t R : {34, 21, 22, 28, 19, 8, 8, 40, 27, 24, 11, 43}) known.emplace_back(R);
  const auto bounds = response_bounds(tasks, 4, Order::points, known);
  REQUIRE(bounds);
  std::size_t better = 0;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    CAPTURE(k);
    if (bounds->R[k] < known[k]) ++better;
    CHECK((bounds->theorem[k] == Theorem::none) == (bounds->R[k] == known[k]));
  }
  CHECK(better > 8);
}

TEST_CASE("there is no bound past T, nor where the load is too high") {
  CHECK_FALSE(response_bounds(std::vector<Task>(3, edf(4, 5, 5)), 2, Order::points));
  CHECK_FALSE(response_bounds(std::vector<Task>{edf(6, 5, 5)}, 2, Order::points));
  CHECK_FALSE(response_bounds(std::vector<Task>(3, fixed(4, 5, 1)), 2, Order::fixed));
  CHECK(response_bounds(std::vector<Task>{}, 2, Order::points)->R.empty());
}

TEST_CASE("a task without work waits for those that go before it") {
  // One processor, 2 of work ahead of it: not done before 2, which counts as 1 + 2.
  const auto bounds = response_bounds(std::vector<Task>{fixed(2, 9, 2), fixed(0, 9, 1)}, 1, Order::fixed);
  REQUIRE(bounds);
  CHECK(bounds->R[1] == Time(3));
}

TEST_CASE("numbers near the end of their range have a bound") {
  // 4 x 1/2 <= 3 - 2 x 1/2: T17. The three others do 2^60 each before R = C + 2^60, so T16 gives no less.
  const std::int64_t large = std::int64_t{1} << 61U;
  const std::vector<Task> tasks(4, edf(large / 2, large, large));
  const auto bounds = response_bounds(tasks, 3, Order::points);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector(4, Time(large)));
  CHECK(bounds->theorem == std::vector(4, Theorem::T17));
}

TEST_CASE("where T3 and the others leave a deadline open, T16 and T17 meet it, and say so") {
  // m = 4, eight tasks of density 0.36 each: 2.88 <= 4 - 3 x 0.36 = 2.92.
  const std::vector<Dag> dags = eight_tasks();
  analysis::Options options;
  options.explain = {"d1"};
  options.release = Release::completion;
  const auto analysis = analyze(task_set({cpu_pool(4)}, dags), options);
  CHECK(analysis.verdict == analysis::Verdict::schedulable);
  for (const auto& dag : analysis.proof.dags) CHECK((dag.bound && dag.bound->basis.theorem >= Theorem::T16));
  CHECK(analysis.proof.pools[0].bounded());
  REQUIRE(analysis.explanations.size() == 1);
  CHECK(analysis.explanations[0].lines.front().starts_with("T1"));
  CHECK(certificate::certificate_of(analysis.proof, *analysis.proof.task_set, "0").uncertified.empty());
}

TEST_CASE("T16 to T18 leave alone what is not theirs") {
  const std::vector<Dag> dags = eight_tasks();
  const auto uses = [](const std::shared_ptr<const TaskSet>& set, const analysis::Options& options) {
    const auto proof = analyze(set, options).proof;
    bool found = false;
    for (const auto& dag : proof.dags) found = found || (dag.nodes[0].bound && dag.nodes[0].bound->basis.theorem >= Theorem::T16);
    return found;
  };
  analysis::Options options;
  options.release = Release::completion;
  CHECK(uses(task_set({cpu_pool(4)}, dags), options));
  CpuPool rude{4, Scheduler::g_edf};
  rude.preemptive = false;
  CHECK_FALSE(uses(task_set({Pool{"cpu", rude}}, dags), options));
  auto late = dags;
  late.push_back(Dag("late", 90_ms, 90_ms, {sequential(1_ms)}, {}, {.jitter = 10_ms}));
  CHECK_FALSE(uses(task_set({cpu_pool(4)}, late), options));
  auto longer = dags;
  longer.push_back(Dag("two", 90_ms, 90_ms, {sequential(1_ms), cpu_node("w", 1_ms)}, {{0, 1, false}}));
  CHECK_FALSE(uses(task_set({cpu_pool(4)}, longer), options));
  options.refinement = analysis::gel::Refinement::none;
  options.release = Release::offsets;
  CHECK_FALSE(uses(task_set({cpu_pool(4)}, dags), options));
}
