// What the exact search may not overlook: streams that submittees share, tasks without length.
#include "static_order/exact.hpp"

#include <doctest/doctest.h>

#include "static_order/random.hpp"
#include "static_order/windows_state.hpp"

using namespace rta::static_order;

namespace {

Problem indexed(Problem problem) {
  REQUIRE(problem.index());
  return problem;
}

std::uint32_t pair_of(const WindowsState& state, TaskId a, TaskId b) {
  for (std::uint32_t p = 0; p < state.pairs().size(); ++p) {
    if (state.pairs()[p].a == a && state.pairs()[p].b == b) return p;
  }
  FAIL("no such pair");
  return 0;
}

}  // namespace

TEST_CASE("submitters and submittees in opposite orders cannot come to share a stream") {
  // Tasks 0 and 1 on one CPU submit 2 and 3 to one GPU, each onto stream 1 or 2; what these carry are machines 3 and 4.
  Problem problem;
  problem.tasks = {{.length = 5, .submittee = 2}, {.length = 5, .submittee = 3}, {.length = 5}, {.length = 5}};
  problem.machines = {{}, {}, {}, {.follows = 1}, {.follows = 2}, {}};
  problem.needs = {{.task = 0, .machine = {0}}, {.task = 1, .machine = {0}}, {.task = 2, .machine = {5}}, {.task = 3, .machine = {5}}};
  for (const ChoiceId choice : {0U, 1U}) {
    problem.needs.push_back({.task = choice, .choice = choice, .machine = {1, 2}});
    problem.needs.push_back({.task = choice + 2, .choice = choice, .machine = {3, 4}});
  }
  problem.options = {2, 2};
  problem.arcs = {{0, 2, false}, {1, 3, false}};
  problem = indexed(problem);
  WindowsState state(problem);
  REQUIRE(state.reset(std::vector<Ns>(4, 100)));
  REQUIRE(state.decide(pair_of(state, 0, 1), Side::a_first));
  REQUIRE(state.decide(pair_of(state, 2, 3), Side::b_first));
  REQUIRE(state.keep_only(0, 0));
  const WindowsState::Level level = state.level();
  CHECK_FALSE(state.keep_only(1, 0));
  state.back_to(level);
  CHECK(state.keep_only(1, 1));
}

TEST_CASE("tasks without length keep the order that was decided for them") {
  // Task 1 (no length, behind task 4 on machine 2) and task 0 (14 long) submit 3 and 2. Task 3 is due at 1, so 1 goes before 0 though both
  // can start at 0: 0 ends at 14, 2 starts with it but behind 3, at 1, and ends at 15.
  Problem problem;
  problem.tasks = {{.length = 14, .submittee = 2}, {.length = 0, .submittee = 3}, {.length = 14}, {.length = 1}, {.length = 0}};
  problem.machines = {{}, {.follows = 0}, {}};
  problem.needs = {{.task = 0, .machine = {0}}, {.task = 1, .machine = {0}}, {.task = 1, .machine = {2}},
                   {.task = 2, .machine = {1}}, {.task = 3, .machine = {1}}, {.task = 4, .machine = {2}}};
  problem.arcs = {{0, 2, true}, {1, 3, true}, {4, 1, false}};
  problem = indexed(problem);
  ExactSearch search(problem);
  const std::vector<Ns> due{14, 14, 15, 1, 14};
  search.aim(due, Order(problem), std::vector<Ns>(5, 0));
  Random random(1);
  REQUIRE(search.run(100'000, random, [] { return false; }) == ExactSearch::Answer::found);
  Times times;
  REQUIRE(Evaluation(problem)(search.order(), due, times));
  CHECK(times.start == std::vector<Ns>{0, 0, 1, 0, 0});
  search.aim(std::vector<Ns>{14, 14, 14, 1, 14}, Order(problem), std::vector<Ns>(5, 0));
  CHECK(search.run(100'000, random, [] { return false; }) == ExactSearch::Answer::impossible);
}
