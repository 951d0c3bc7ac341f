// What T16 to T18 accept: against the theorems by the letter, and against schedules that look for a deadline missed.
#include <doctest/doctest.h>

#include <array>
#include <optional>
#include <vector>

#include "rta/analysis/hard/hard.hpp"
#include "support/gel_simulation.hpp"
#include "support/hard_oracle.hpp"
#include "support/random_system.hpp"

namespace {

using namespace rta;
using namespace rta::analysis;
using hard::Order;
using hard::Task;
using test::Dice;
using test::HardMutant;
using test::HardOracle;

struct System {
  std::uint32_t m = 2;
  Order order = Order::points;
  std::vector<Task> tasks;
};

/// Small numbers, near the load at which deadlines are missed.
System random_tasks(std::uint64_t seed) {
  Dice dice(seed);
  System system;
  system.m = static_cast<std::uint32_t>(dice.between(1, 3));
  system.order = dice.one_in(2) ? Order::points : Order::fixed;
  const bool implicit = dice.one_in(2);
  double room = static_cast<double>(system.m) * static_cast<double>(dice.between(55, 100)) / 100;
  for (int i = 0; i < 7; ++i) {
    const std::int64_t T = dice.between(2, 9);
    const std::int64_t C = dice.between(1, dice.one_in(3) ? T : (T + 1) / 2);
    const std::int64_t D = implicit ? T : dice.between(C, T);
    room -= static_cast<double>(C) / static_cast<double>(T);
    if (room < 0) break;
    system.tasks.push_back({Time(C), Time(T), Time(D), Time(D), static_cast<FixedPriority>(dice.between(1, 9))});
  }
  return system;
}

/// Sporadic jobs up to their C, of tasks in any order, which decides ties.
std::vector<test::GelJob> random_jobs(const System& system, Dice& dice) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < system.tasks.size(); ++i) {
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(dice.between(0, static_cast<std::int64_t>(order.size()))), i);
  }
  const bool periodic = dice.one_in(2);
  std::vector<test::GelJob> jobs;
  for (const std::size_t i : order) {
    const Task& task = system.tasks[i];
    for (std::int64_t t = dice.between(0, task.T.count()); t < 30;
         t += task.T.count() + (!periodic && dice.one_in(4) ? dice.between(1, 3) : 0)) {
      const std::int64_t C = dice.one_in(8) ? dice.between(1, task.C.count()) : task.C.count();
      const std::int64_t point = system.order == Order::points ? t + task.Y.count() : -1000 * std::int64_t{task.priority};
      jobs.push_back({i, t, C, point});
    }
  }
  return jobs;
}

/// Whether some of these schedules shows a response above R.
bool exceeded(const System& system, const std::vector<Time>& R, Dice& dice, int schedules) {
  for (int i = 0; i < schedules; ++i) {
    const auto jobs = random_jobs(system, dice);
    const auto response = test::simulate_gel(jobs, system.m, dice.one_in(2));
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      if (response[j] > R[jobs[j].task].count()) return true;
    }
  }
  return false;
}

std::vector<Time> deadlines(const System& system) {
  std::vector<Time> D;
  for (const Task& task : system.tasks) D.push_back(task.D);
  return D;
}

}  // namespace

TEST_CASE("law 1: no schedule shows a response above T16 to T18, whether tasks are sequential or not") {
  int bounded = 0;
  int reached = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const System system = random_tasks(seed);
    const auto bounds = hard::response_bounds(system.tasks, system.m, system.order);
    if (!bounds) continue;
    ++bounded;
    Dice dice(seed);
    CAPTURE(seed);
    REQUIRE_FALSE(exceeded(system, bounds->R, dice, 30));
    std::vector<Time> less = bounds->R;
    for (Time& R : less) R -= Time(1);
    if (exceeded(system, less, dice, 30)) ++reached;
  }
  CHECK(bounded > 500);
  CHECK(reached > 300);
}

TEST_CASE("every bound of T16 to T18 satisfies its theorem by the letter") {
  std::array<int, 3> seen{};
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const System system = random_tasks(seed);
    const auto bounds = hard::response_bounds(system.tasks, system.m, system.order);
    if (!bounds) continue;
    const HardOracle oracle(system.tasks, system.m, system.order);
    std::vector<std::int64_t> F;
    for (const Time R : bounds->R) F.push_back(R.count());
    CAPTURE(seed);
    for (std::size_t k = 0; k < F.size(); ++k) {
      CAPTURE(k);
      REQUIRE(F[k] <= system.tasks[k].T.count());
      if (bounds->theorem[k] == Theorem::T16) {
        const bool busy = bounds->window[k] == hard::Window::busy;
        REQUIRE((busy ? oracle.by_busy(k, F[k], F) : oracle.by_release(k, F[k], F)));
        ++seen[busy ? 1 : 0];
      } else {
        REQUIRE(bounds->theorem[k] == Theorem::T17);  // T18 only where T16 says nothing: too seldom here
        REQUIRE(oracle.by_density());
        REQUIRE(F[k] == system.tasks[k].Y.count());
        ++seen[2];
      }
    }
  }
  for (const int count : seen) CHECK(count > 0);
}

TEST_CASE("T18 alone: by the letter, and no deadline is missed") {
  int accepted = 0;
  int beyond_density = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const System system = random_tasks(seed);
    if (system.order == Order::fixed || !hard::meets_by_load(system.tasks, system.m)) continue;
    ++accepted;
    if (!hard::meets_by_density(system.tasks, system.m)) ++beyond_density;
    const HardOracle oracle(system.tasks, system.m, system.order);
    CAPTURE(seed);
    for (std::size_t k = 0; k < system.tasks.size(); ++k) {
      std::size_t terms = 1'000'000;
      const auto density = hard::load_allows(system.tasks, system.m, k, terms);
      REQUIRE(density);
      REQUIRE(oracle.by_load(k, density->sigma));
    }
    Dice dice(seed);
    REQUIRE_FALSE(exceeded(system, deadlines(system), dice, 30));
  }
  CHECK(accepted > 200);
  CHECK(beyond_density > 10);
}

TEST_CASE("what the theorems accept by the letter is accepted, but for what needs longer searches") {
  int both = 0;
  int oracle_only = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const System system = random_tasks(seed);
    const bool by_letter = HardOracle(system.tasks, system.m, system.order).accepts(true);
    const auto bounds = hard::response_bounds(system.tasks, system.m, system.order);
    bool accepted = bounds.has_value();
    for (std::size_t k = 0; accepted && k < system.tasks.size(); ++k) accepted = bounds->R[k] <= system.tasks[k].D;
    if (accepted) ++both;
    if (by_letter && !accepted) ++oracle_only;
  }
  CHECK(both > 100);
  CHECK(20 * oracle_only < both);
}

TEST_CASE("no deadline is missed in a set that the theorems accept by the letter, and each wrong variant accepts one where some is") {
  std::array<int, test::hard_mutants> caught{};
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    const System system = random_tasks(seed);
    Dice dice(seed + 77);
    const bool missed = exceeded(system, deadlines(system), dice, 40);
    if (!missed) continue;
    CAPTURE(seed);
    for (std::size_t mutant = 0; mutant < test::hard_mutants; ++mutant) {
      const HardOracle oracle(system.tasks, system.m, system.order, static_cast<HardMutant>(mutant));
      const bool of_load = static_cast<HardMutant>(mutant) == HardMutant::full_rate;
      if (oracle.accepts(!of_load)) ++caught[mutant];
    }
  }
  CHECK(caught[0] == 0);
  for (std::size_t mutant = 1; mutant < caught.size(); ++mutant) {
    CAPTURE(mutant);
    CHECK(caught[mutant] > 0);
  }
}
