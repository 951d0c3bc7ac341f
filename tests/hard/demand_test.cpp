// Demand on one processor: by hand, and against schedules.
#include "analysis/hard/demand.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "rta/analysis/hard/hard.hpp"
#include "support/gel_simulation.hpp"
#include "support/random_system.hpp"

namespace {

using namespace rta;
using namespace rta::analysis;
using hard::demand_fits;
using hard::Order;
using hard::Task;
using test::Dice;

Task demanding(std::int64_t C, std::int64_t T, std::int64_t D) { return {Time(C), Time(T), Time(D), Time(D), 1}; }

/// Some with D = T, loads up to above 1.
std::vector<Task> random_demand(std::uint64_t seed) {
  Dice dice(seed);
  std::vector<Task> tasks;
  double room = static_cast<double>(dice.between(60, 105)) / 100;
  for (int i = 0; i < 6; ++i) {
    const std::int64_t T = dice.between(2, 14);
    const std::int64_t C = dice.between(1, (T + 2) / 3);
    room -= static_cast<double>(C) / static_cast<double>(T);
    if (room < 0) break;
    tasks.push_back(demanding(C, T, dice.one_in(4) ? T : dice.between(C, T)));
  }
  return tasks;
}

/// The synchronous busy period; nothing where it is long.
std::optional<std::int64_t> busy_period(const std::vector<Task>& tasks) {
  std::int64_t length = 1;
  while (length < 200) {
    std::int64_t next = 0;
    for (const Task& task : tasks) next += ((length - 1) / task.T.count() + 1) * task.C.count();
    if (next <= length) return length;
    length = next;
  }
  return std::nullopt;
}

/// EDF, all released at 0 and as soon as they may from then on: decides for sporadic tasks. `until`: no shorter than the busy period.
bool misses_some_deadline(const std::vector<Task>& tasks, std::int64_t until) {
  std::vector<test::GelJob> jobs;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    for (std::int64_t t = 0; t < until; t += tasks[i].T.count()) jobs.push_back({i, t, tasks[i].C.count(), t + tasks[i].D.count()});
  }
  const auto response = test::simulate_gel(jobs, 1, true);
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    if (response[j] > tasks[jobs[j].task].D.count()) return true;
  }
  return false;
}

/// h(t) <= t at every t, as it stands.
bool fits_everywhere(const std::vector<Task>& tasks, std::int64_t until, std::int64_t first_job) {
  for (std::int64_t t = 1; t <= until; ++t) {
    std::int64_t h = 0;
    for (const Task& task : tasks) {
      if (t >= task.D.count()) h += ((t - task.D.count()) / task.T.count() + first_job) * task.C.count();
    }
    if (h > t) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("demand on one processor: h(5) = 5 fits, and 5 units until 4 do not") {
  CHECK(demand_fits(std::vector{demanding(2, 6, 3), demanding(3, 8, 5), demanding(1, 10, 9)}) == std::optional(true));
  CHECK(demand_fits(std::vector{demanding(2, 6, 3), demanding(3, 8, 4)}) == std::optional(false));
}

TEST_CASE("demand on one processor: full load, C above D, no work and no tasks") {
  CHECK(demand_fits(std::vector{demanding(2, 4, 4), demanding(3, 6, 6)}) == std::optional(true));  // U = 1, D = T
  CHECK(demand_fits(std::vector{demanding(2, 4, 4), demanding(3, 6, 5)}) == std::optional(true));  // L = 12: h(4) = 2, h(5) = 5, h(11) = 10
  CHECK(demand_fits(std::vector{demanding(2, 4, 4), demanding(3, 6, 4)}) == std::optional(false));  // h(4) = 5
  CHECK(demand_fits(std::vector{demanding(3, 4, 4), demanding(2, 6, 6)}) == std::optional(false));  // 13/12
  CHECK(demand_fits(std::vector{demanding(5, 9, 4)}) == std::optional(false));
  CHECK(demand_fits(std::vector{demanding(0, 9, 4)}) == std::optional(true));
  CHECK(demand_fits(std::vector<Task>{}) == std::optional(true));
}

TEST_CASE("demand on one processor: times of years do not overflow") {
  constexpr std::int64_t year = 31'536'000'000'000'000;
  CHECK(demand_fits(std::vector{demanding(year, 100 * year, 2 * year), demanding(1, 3, 2)}) == std::optional(true));
  CHECK(demand_fits(std::vector{demanding(year, 100 * year, 2 * year), demanding(3 * year, 9 * year, 3 * year)}) == std::optional(false));
}

TEST_CASE("law: demand decides whether EDF misses a deadline on one processor, and T16 to T18 prove none that is missed") {
  int fitting = 0;
  int missed = 0;
  int without_first = 0;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    const auto tasks = random_demand(seed);
    CAPTURE(seed);
    constexpr std::int64_t until = 2000;
    const auto busy = busy_period(tasks);
    if (!busy) continue;
    const bool misses = misses_some_deadline(tasks, *busy);
    REQUIRE(demand_fits(tasks) == std::optional(!misses));
    REQUIRE(fits_everywhere(tasks, until, 1) == !misses);
    ++(misses ? missed : fitting);
    if (!misses) continue;
    if (fits_everywhere(tasks, until, 0)) ++without_first;
    for (const Order order : {Order::points, Order::fixed}) {
      const auto bounds = hard::response_bounds(tasks, 1, order);
      if (!bounds) continue;
      bool above = false;
      for (std::size_t k = 0; k < tasks.size(); ++k) above = above || bounds->R[k] > tasks[k].D;
      REQUIRE(above);
    }
  }
  CHECK(fitting > 1000);
  CHECK(missed > 500);
  CHECK(without_first > 100);
}
