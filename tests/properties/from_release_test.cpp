// T1r and T1re by the letter, beside forms of T1r that promise too little.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "analysis/cpu/gel_release.hpp"
#include "rta/analysis/cpu/gel.hpp"
#include "support/gel_simulation.hpp"

namespace {

using rta::Time;
using rta::Wide;
using rta::analysis::gel::Task;
using rta::test::GelJob;
namespace gel = rta::analysis::gel;

struct Form {
  std::int64_t fewer_pieces = 0;  // than ceil(U) - 1
  double least_share = 0, largest_share = 1e9;
};

constexpr Form theorem;
constexpr Form one_piece_less{.fewer_pieces = 1};
constexpr Form nothing_released_later{.largest_share = 1};
constexpr Form only_whole_periods_later{.least_share = -1};  // marks the form that takes a job less of each task

/// R_k from R_i that are proven.
double by_the_letter(std::span<const Task> tasks, std::uint32_t m, std::span<const Time> R, std::size_t k, const Form& form) {
  std::vector<double> pieces;
  double demand = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto C = static_cast<double>(tasks[i].C.count());
    const auto T = static_cast<double>(tasks[i].T.count());
    for (std::int64_t n = (R[i].count() + tasks[i].T.count() - 1) / tasks[i].T.count(); n > 0; --n) pieces.push_back(C);
    const double later = static_cast<double>((tasks[k].Y - tasks[i].Y).count()) / T;
    const bool job_less = form.least_share < 0 && i != k;
    demand += C * std::clamp(later + (job_less ? 0 : 1), 0., form.largest_share);
  }
  std::ranges::sort(pieces, std::greater<>());
  const auto most = static_cast<std::int64_t>(gel::utilization(tasks).ceil()) - 1 - form.fewer_pieces;
  const auto counted = static_cast<std::ptrdiff_t>(std::clamp<std::int64_t>(most, 0, static_cast<std::int64_t>(pieces.size())));
  const double carry = std::accumulate(pieces.begin(), pieces.begin() + counted, 0.);
  const auto C = static_cast<double>(tasks[k].C.count());
  return C + (carry + demand - C) / m;
}

struct System {
  std::uint32_t m = 1;
  std::vector<Task> tasks;
};

System random_system(std::mt19937_64& random) {
  const auto pick = [&](std::int64_t from, std::int64_t to) { return std::uniform_int_distribution(from, to)(random); };
  System system;
  system.m = static_cast<std::uint32_t>(pick(1, 3));
  for (std::int64_t n = pick(2, 5); n > 0; --n) {
    const std::int64_t T = pick(2, 12);
    system.tasks.push_back({Time(pick(1, T + 2)), Time(T), Time(pick(0, 20))});
  }
  while (gel::utilization(system.tasks).compare(system.m) > 0) system.tasks.pop_back();
  return system;
}

/// Periodic jobs from random phases; the last task in the order loses ties.
std::vector<GelJob> random_jobs(const System& system, std::mt19937_64& random) {
  const auto pick = [&](std::int64_t from, std::int64_t to) { return std::uniform_int_distribution(from, to)(random); };
  std::vector<std::size_t> order(system.tasks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::shuffle(order, random);
  std::vector<GelJob> jobs;
  for (const std::size_t i : order) {
    const Task& task = system.tasks[i];
    for (std::int64_t t = pick(0, 12); t <= 60; t += task.T.count()) jobs.push_back({i, t, task.C.count(), t + task.Y.count()});
  }
  return jobs;
}

}  // namespace

TEST_CASE("T1r: no schedule is above it, the program's bound is no larger, and each weaker form is broken") {
  std::mt19937_64 random(41);
  const std::array broken{one_piece_less, nothing_released_later, only_whole_periods_later};
  std::array<int, broken.size()> caught{};
  int reached = 0;
  int below_T1 = 0;
  for (int round = 0; round < 1500; ++round) {
    const System system = random_system(random);
    if (system.tasks.empty()) continue;
    const auto T1 = gel::response_bounds(system.tasks, system.m);
    const auto refined = gel::response_bounds(system.tasks, system.m, gel::Refinement::response);
    REQUIRE(T1);
    REQUIRE(refined);
    std::vector<std::int64_t> worst(system.tasks.size(), 0);
    for (int schedule = 0; schedule < 20; ++schedule) {
      const auto jobs = random_jobs(system, random);
      const auto response = rta::test::simulate_gel(jobs, system.m);
      for (std::size_t j = 0; j < jobs.size(); ++j) worst[jobs[j].task] = std::max(worst[jobs[j].task], response[j]);
    }
    for (std::size_t k = 0; k < system.tasks.size(); ++k) {
      const double letter = by_the_letter(system.tasks, system.m, T1->R, k, theorem);
      CHECK(static_cast<double>(worst[k]) <= letter + 1e-6);
      CHECK(static_cast<double>(refined->R[k].count()) <= letter + 1 + 1e-6);  // rounded up twice
      CHECK(letter <= static_cast<double>(T1->R[k].count()) + 1e-6);
      CHECK(worst[k] <= refined->R[k].count());
      reached += worst[k] == refined->R[k].count() ? 1 : 0;
      below_T1 += refined->R[k] < T1->R[k] ? 1 : 0;
      for (std::size_t f = 0; f < broken.size(); ++f) {
        caught[f] += static_cast<double>(worst[k]) > by_the_letter(system.tasks, system.m, T1->R, k, broken[f]) + 1e-6 ? 1 : 0;
      }
    }
  }
  CHECK(reached > 500);
  CHECK(below_T1 > 1000);
  for (const int violations : caught) CHECK(violations > 10);
  MESSAGE(reached, " reached, ", below_T1, " below T1, caught: ", caught[0], ", ", caught[1], ", ", caught[2]);
}

namespace {

/// sup over x >= 0 of sum max(0, floor((x + Y_k - Y_i)/T_i) + 1) C_i - c x, over every instant up to where nothing new can follow.
Wide demand_by_the_letter(std::span<const Task> tasks, std::size_t k, Wide c) {
  Wide largest = 0;
  for (std::int64_t x = 0; x <= 30'000; ++x) {  // periods up to 12, and Y up to 20: a hyperperiod is 27,720
    Wide ahead = -c * x;
    for (const Task& task : tasks) {
      const std::int64_t length = x + (tasks[k].Y - task.Y).count();
      if (length >= 0) ahead += (length / task.T.count() + 1) * task.C.count();
    }
    largest = x == 0 ? ahead : std::max(largest, ahead);
  }
  return largest;
}

}  // namespace

TEST_CASE("T1re: the walk finds what an enumeration of every instant finds") {
  std::mt19937_64 random(5);
  int below_linear = 0;
  for (int round = 0; round < 30; ++round) {
    const System system = random_system(random);
    const auto T1 = gel::response_bounds(system.tasks, system.m);
    if (system.tasks.empty() || T1->terms.ceil_U == 0) continue;
    gel::ExactDemand walk(system.tasks, T1->terms.shift, gel::utilization(system.tasks), T1->terms.demand);
    std::vector<Wide> points;
    for (const Task& task : system.tasks) points.push_back(Wide{(task.Y - T1->terms.shift).count()});
    std::ranges::sort(points);
    for (Wide c = T1->terms.ceil_U; c <= system.m; ++c) {
      const auto largest = walk.beyond(c, points);
      REQUIRE(largest);
      for (std::size_t k = 0; k < system.tasks.size(); ++k) {
        const Wide Y = (system.tasks[k].Y - T1->terms.shift).count();
        const auto at = static_cast<std::size_t>(std::ranges::find(points, Y) - points.begin());
        const Wide demand = (*largest)[at] + c * Y;
        CHECK(demand == demand_by_the_letter(system.tasks, k, c));
        const auto linear = gel::released_demand(system.tasks, system.tasks[k].Y);
        CHECK(rta::analysis::fine(rta::to_time(demand)) <= linear);
        below_linear += rta::analysis::fine(rta::to_time(demand)) < linear ? 1 : 0;
      }
    }
  }
  CHECK(below_linear > 20);
}

TEST_CASE("T1re: no schedule is above it") {
  std::mt19937_64 random(77);
  int exact = 0;
  int reached = 0;
  for (int round = 0; round < 1500; ++round) {
    const System system = random_system(random);
    if (system.tasks.empty()) continue;
    const auto bounds = gel::response_bounds(system.tasks, system.m, gel::Refinement::response);
    REQUIRE(bounds);
    std::vector<std::int64_t> worst(system.tasks.size(), 0);
    for (int schedule = 0; schedule < 20; ++schedule) {
      const auto jobs = random_jobs(system, random);
      const auto response = rta::test::simulate_gel(jobs, system.m);
      for (std::size_t j = 0; j < jobs.size(); ++j) worst[jobs[j].task] = std::max(worst[jobs[j].task], response[j]);
    }
    for (std::size_t k = 0; k < system.tasks.size(); ++k) {
      CHECK(worst[k] <= bounds->R[k].count());
      if (bounds->theorem[k] != rta::analysis::Theorem::T1re) continue;
      ++exact;
      reached += worst[k] == bounds->R[k].count() ? 1 : 0;
    }
  }
  CHECK(exact > 500);
  CHECK(reached > 20);
  MESSAGE(exact, " by T1re, ", reached, " reached");
}

TEST_CASE("T1re: a walk that would be too long is left out, and T1r stands") {
  // Full load exactly and periods without a common multiple that is near: nothing ends the walk but its budget.
  std::vector<Task> tasks;
  for (const std::int64_t T : {1'000'003, 1'000'033, 1'000'037, 1'000'039}) tasks.push_back({Time(T), Time(T), Time(T - 999'000)});
  const auto T1 = gel::response_bounds(tasks, 4);
  REQUIRE(T1);
  gel::ExactDemand walk(tasks, T1->terms.shift, gel::utilization(tasks), T1->terms.demand);
  CHECK_FALSE(walk.beyond(4, std::vector<Wide>{0}));
  const auto bounds = gel::response_bounds(tasks, 4, gel::Refinement::response);
  REQUIRE(bounds);
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    CHECK(bounds->R[k] <= T1->R[k]);
    CHECK(bounds->theorem[k] != rta::analysis::Theorem::T1re);
  }
}
