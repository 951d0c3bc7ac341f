// At offsets with late releases: bounds by nominal periods and J against exact schedules, beside forms that forget the J in one place.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "analysis/cpu/gel_demand.hpp"
#include "analysis/cpu/priority_order.hpp"
#include "rta/analysis/cpu/gel.hpp"
#include "support/gpu_search.hpp"
#include "support/non_preemptive_simulation.hpp"

namespace {

using rta::Time;
using rta::analysis::gel::Task;
using rta::test::GelJob;
namespace gel = rta::analysis::gel;

struct System {
  std::uint32_t m = 1;
  std::vector<Task> tasks;
};

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  std::int64_t operator()(std::int64_t from, std::int64_t to) { return std::uniform_int_distribution(from, to)(random_); }
  std::mt19937_64& engine() { return random_; }

 private:
  std::mt19937_64 random_;
};

/// Near full load, as T - J sees it often above.
System random_system(Draw& draw) {
  System system;
  system.m = static_cast<std::uint32_t>(draw(1, 3));
  for (std::int64_t n = draw(2, 5); n > 0; --n) {
    const std::int64_t T = draw(2, 12);
    system.tasks.push_back({Time(draw(1, T + 2)), Time(T), Time(draw(0, 20)), Time(draw(0, 2) == 0 ? 0 : draw(0, T - 1))});
  }
  while (gel::utilization(system.tasks).compare(system.m) > 0) system.tasks.pop_back();
  return system;
}

struct Jobs {
  std::vector<GelJob> jobs;
  std::vector<bool> in_front;
};

/// Nominal releases T apart or a little more, from random phases or so that jobs of all tasks meet at one instant, late before it by all of
/// J and on time from then on.
Jobs random_jobs(const System& system, Draw& draw) {
  std::vector<std::size_t> order(system.tasks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::shuffle(order, draw.engine());
  const bool meet = draw(0, 2) > 0;
  const std::int64_t at = draw(10, 40);
  const bool sporadic = draw(0, 3) == 0;
  const bool full = draw(0, 1) == 0;
  Jobs all;
  for (const std::size_t i : order) {
    const Task& task = system.tasks[i];
    const std::int64_t T = task.T.count();
    const std::int64_t J = task.J.count();
    std::int64_t nominal = meet ? (at - J) % T : draw(0, 12);
    for (; nominal <= 60; nominal += T + (sporadic ? draw(0, 2) / 2 : 0)) {
      const std::int64_t late =
          meet ? (nominal + J <= at ? J : std::max<std::int64_t>(0, std::min(J, at - nominal))) : draw(0, 1) * draw(0, J);
      const std::int64_t C = full || draw(0, 3) > 0 ? task.C.count() : draw(1, task.C.count());
      all.jobs.push_back({i, nominal + late, C, nominal + late + task.Y.count()});
      all.in_front.push_back(draw(0, 1) == 0);
    }
  }
  return all;
}

std::vector<std::int64_t> worst_responses(const System& system, Draw& draw, bool preemptive, int schedules) {
  std::vector<std::int64_t> worst(system.tasks.size(), 0);
  for (int schedule = 0; schedule < schedules; ++schedule) {
    const Jobs all = random_jobs(system, draw);
    const auto response = preemptive ? rta::test::simulate_gel(all.jobs, system.m)
                                     : rta::test::simulate_non_preemptive(all.jobs, system.m, false, all.in_front);
    for (std::size_t j = 0; j < all.jobs.size(); ++j) worst[all.jobs[j].task] = std::max(worst[all.jobs[j].task], response[j]);
  }
  return worst;
}

std::vector<Task> on_time(std::vector<Task> tasks) {
  for (Task& task : tasks) task.J = Time::zero();
  return tasks;
}

/// Where a form counts J: in what is released, in the pieces that are left.
struct Form {
  bool released = true, left = true;
};

double longest(std::vector<double> pieces, std::int64_t count) {
  std::ranges::sort(pieces, std::greater<>());
  const auto n = std::clamp<std::int64_t>(count, 0, static_cast<std::int64_t>(pieces.size()));
  return std::accumulate(pieces.begin(), pieces.begin() + n, 0.);
}

/// T1r by the letter, from R_i that are proven.
double T1r(const System& system, std::span<const Time> R, std::size_t k, const Form& form) {
  std::vector<double> pieces;
  double demand = 0;
  for (std::size_t i = 0; i < system.tasks.size(); ++i) {
    const Task& task = system.tasks[i];
    const auto C = static_cast<double>(task.C.count());
    const rta::Wide left = rta::ceil_div(R[i].count() + (form.left ? task.J.count() : 0), task.T.count());
    for (rta::Wide n = left; n > 0; --n) pieces.push_back(C);
    const auto ahead = (task.Y - system.tasks[k].Y).count() - (form.released ? task.J.count() : 0);
    demand += C * std::max(0., 1 - static_cast<double>(ahead) / static_cast<double>(task.T.count()));
  }
  const auto C = static_cast<double>(system.tasks[k].C.count());
  return C + (longest(pieces, static_cast<std::int64_t>(gel::utilization(system.tasks).ceil()) - 1) + demand - C) / system.m;
}

}  // namespace

TEST_CASE("Late releases, T1 and its refinements by nominal periods: no schedule is above them, each place without J is broken") {
  Draw draw(2026);
  int systems = 0;
  int only = 0;
  int reached = 0;
  int released = 0;
  int left = 0;
  int jobs = 0;
  int exact = 0;
  for (int round = 0; round < 3000; ++round) {
    const System system = random_system(draw);
    if (system.tasks.empty()) continue;
    ++systems;
    std::vector<Task> closer = on_time(system.tasks);
    for (std::size_t i = 0; i < closer.size(); ++i) closer[i].T -= system.tasks[i].J;
    only += gel::utilization(closer).compare(system.m) > 0 ? 1 : 0;
    const auto worst = worst_responses(system, draw, true, 20);
    using gel::Refinement;
    const auto plain = gel::response_bounds(system.tasks, system.m);
    const auto all = gel::response_bounds(system.tasks, system.m, Refinement::all);
    const auto forgotten = gel::response_bounds(on_time(system.tasks), system.m, Refinement::demand);
    REQUIRE(plain);
    REQUIRE(all);
    const auto without_J = gel::bounds_from_proven(on_time(system.tasks), system.m, all->R);
    for (const Refinement refinement : {Refinement::none, Refinement::demand, Refinement::carry, Refinement::response, Refinement::all}) {
      const auto bounds = gel::response_bounds(system.tasks, system.m, refinement);
      for (std::size_t k = 0; k < worst.size(); ++k) {
        CAPTURE(round);
        CAPTURE(k);
        REQUIRE(worst[k] <= bounds->R[k].count());
        REQUIRE(bounds->R[k] <= plain->R[k]);
      }
    }
    for (std::size_t k = 0; k < worst.size(); ++k) {
      const double letter = T1r(system, plain->R, k, {});
      CHECK(static_cast<double>(worst[k]) <= letter + 1e-6);
      CHECK(letter <= static_cast<double>(plain->R[k].count()) + 1e-6);
      CHECK(static_cast<double>(all->R[k].count()) <= letter + 1 + 1e-6);
      const auto seen = static_cast<double>(worst[k]) - 1e-6;
      reached += worst[k] == all->R[k].count() ? 1 : 0;
      released += seen > T1r(system, plain->R, k, {.released = false}) ? 1 : 0;
      left += seen > T1r(system, all->R, k, {.left = false}) ? 1 : 0;
      jobs += worst[k] > without_J[k].count() ? 1 : 0;
      exact += worst[k] > forgotten->R[k].count() ? 1 : 0;
    }
  }
  MESSAGE(systems, " systems, ", only, " without a bound by T - J; reached ", reached, "; caught without J in what is released ", released,
          ", in what is left ", left, ", in T1n ", jobs, ", in T1e ", exact);
  CHECK(only > 500);
  CHECK(reached > 500);
  CHECK(released > 50);
  CHECK(jobs > 50);
  CHECK(exact > 50);
}

TEST_CASE("Late releases without preemption, T1b, T1be and T1bn by nominal periods: no schedule is above them") {
  Draw draw(7);
  int systems = 0;
  int reached = 0;
  int caught = 0;
  for (int round = 0; round < 2000; ++round) {
    const System system = random_system(draw);
    if (system.tasks.empty()) continue;
    ++systems;
    const auto worst = worst_responses(system, draw, false, 20);
    using gel::Refinement;
    const auto forgotten = gel::non_preemptive_bounds(on_time(system.tasks), system.m, Refinement::all);
    for (const Refinement refinement : {Refinement::none, Refinement::demand, Refinement::carry, Refinement::response, Refinement::all}) {
      const auto bounds = gel::non_preemptive_bounds(system.tasks, system.m, refinement);
      REQUIRE(bounds);
      for (std::size_t k = 0; k < worst.size(); ++k) {
        CAPTURE(round);
        CAPTURE(k);
        REQUIRE(worst[k] <= bounds->R[k].count());
        if (refinement != Refinement::all) continue;
        reached += worst[k] == bounds->R[k].count() ? 1 : 0;
        caught += worst[k] > forgotten->R[k].count() ? 1 : 0;
      }
    }
  }
  MESSAGE(systems, " systems, reached ", reached, ", caught without J ", caught);
  CHECK(reached > 300);
  CHECK(caught > 50);
}

namespace {

/// sup over x >= 0 of the sum of n_i C_i - c x, n_i the releases in [0, x + Y_k - Y_i] at most, over every instant up to a hyperperiod and
/// all points.
rta::Wide demand_by_the_letter(std::span<const Task> tasks, Time Y, rta::Wide c) {
  rta::Wide largest = 0;
  for (std::int64_t x = 0; x <= 30'000; ++x) {
    rta::Wide ahead = -c * x;
    for (const Task& task : tasks) ahead += gel::releases_in_closed(task, x + (Y - task.Y).count()) * task.C.count();
    largest = x == 0 ? ahead : std::max(largest, ahead);
  }
  return largest;
}

}  // namespace

TEST_CASE("Late releases: T1e's and T1re's walks find what an enumeration of every instant finds") {
  Draw draw(11);
  int compared = 0;
  for (int round = 0; round < 60; ++round) {
    const System system = random_system(draw);
    if (system.tasks.empty()) continue;
    const auto T1 = gel::response_bounds(system.tasks, system.m);
    gel::ExactDemand walk(system.tasks, T1->terms.shift, gel::utilization(system.tasks), T1->terms.demand);
    std::vector<rta::Wide> points;
    for (const Task& task : system.tasks) points.push_back(rta::Wide{(task.Y - T1->terms.shift).count()});
    std::ranges::sort(points);
    for (rta::Wide c = T1->terms.ceil_U; c <= system.m; ++c) {
      const auto largest = walk.beyond(c, points);
      REQUIRE(largest);
      for (std::size_t i = 0; i < points.size(); ++i) {
        const Time Y = T1->terms.shift + Time(static_cast<std::int64_t>(points[i]));
        CHECK((*largest)[i] + c * points[i] == demand_by_the_letter(system.tasks, Y, c));
        ++compared;
      }
      const auto whole = walk(c, T1->terms.demand + rta::analysis::FineTime(1));
      REQUIRE(whole);
      const auto letter = rta::analysis::fine(rta::to_time(std::max<rta::Wide>(0, demand_by_the_letter(system.tasks, T1->terms.shift, c))));
      CHECK(*whole == std::min(T1->terms.demand, letter));
    }
  }
  CHECK(compared > 100);
}

TEST_CASE("Late kernels: without J in what is released, or in T6n's counts, bounds are exceeded") {
  namespace fifo = rta::analysis::fifo;
  std::mt19937 random(5);
  const auto in = [&](std::int64_t low, std::int64_t high) { return std::uniform_int_distribution<std::int64_t>(low, high)(random); };
  int systems = 0;
  int sums = 0;
  int counts = 0;
  for (int round = 0; round < 3000; ++round) {
    rta::test::SmallGpu s;
    s.gpu = rta::test::gpu_with(1, 1, 1);  // one block at a time: all weights are 1
    for (std::int64_t n = in(1, 3); n > 0; --n) {
      const std::int64_t T = in(4, 30);
      s.tasks.push_back(rta::test::kernel_of_length(in(1, 8), T, 1, 1));
      s.tasks.back().J = Time(in(0, T - 1));
    }
    const auto bounds = fifo::gpu_bounds(s.tasks, s.gpu, {.feed_back = true});
    if (!bounds) continue;
    ++systems;
    std::vector<fifo::Task> forgotten = s.tasks;
    for (fifo::Task& task : forgotten) task.J = Time::zero();
    const auto wrong = fifo::gpu_bounds(forgotten, s.gpu, {.bound = fifo::Bound::T6b});
    REQUIRE(wrong);
    rta::Wide backlog = 0;  // T6n's, with ceil(R_i/T_i)
    for (std::size_t i = 0; i < s.tasks.size(); ++i) {
      backlog += rta::ceil_div(bounds->R[i]->count(), s.tasks[i].T.count()) * s.tasks[i].L.count();
    }
    std::vector<std::int64_t> worst(s.tasks.size(), 0);
    for (int schedule = 0; schedule < 12; ++schedule) {
      const auto seen = rta::test::worst_responses(s, random);
      for (std::size_t k = 0; k < worst.size(); ++k) worst[k] = std::max(worst[k], seen[k]);
    }
    for (std::size_t k = 0; k < worst.size(); ++k) {
      REQUIRE(worst[k] <= bounds->R[k]->count());
      sums += worst[k] > wrong->R[k]->count() ? 1 : 0;
      counts += worst[k] > backlog ? 1 : 0;
    }
  }
  MESSAGE(systems, " systems, caught without J in sums ", sums, ", in T6n's counts ", counts);
  CHECK(systems > 1000);
  CHECK(sums > 50);
  CHECK(counts > 10);
}
