// T1b, T1be, T1bn and T3b by the letter, beside forms that promise too little, against exact schedules without preemption.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "rta/analysis/cpu/gel.hpp"
#include "rta/analysis/cpu/gel_sequential.hpp"
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
  explicit Draw(unsigned seed) : random_(seed) {}
  std::int64_t operator()(std::int64_t from, std::int64_t to) { return std::uniform_int_distribution(from, to)(random_); }
  std::mt19937_64& engine() { return random_; }

 private:
  std::mt19937_64 random_;
};

System random_system(Draw& draw, bool sequential) {
  System system;
  system.m = static_cast<std::uint32_t>(draw(1, 4));
  const bool few_long = draw(0, 1) == 0;
  for (std::int64_t n = draw(2, 7); n > 0; --n) {
    const std::int64_t T = draw(2, 14);
    const std::int64_t C = few_long && draw(0, 2) > 0 ? draw(1, 2) : draw(1, T + (sequential ? 0 : 2));
    system.tasks.push_back({Time(std::min(C, sequential ? T : C)), Time(T), Time(draw(0, 1) == 0 ? T : draw(0, 24))});
  }
  while (gel::utilization(system.tasks).compare(system.m) > 0) system.tasks.pop_back();
  return system;
}

struct Jobs {
  std::vector<GelJob> jobs;
  std::vector<bool> in_front;
};

/// From random phases, some late and some short; in half of the runs all of some tasks are released around one instant, those with the
/// latest points a little before the others.
Jobs random_jobs(const System& system, Draw& draw) {
  std::vector<std::size_t> order(system.tasks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::shuffle(order, draw.engine());
  Jobs all;
  const bool meet = draw(0, 1) == 0;
  const std::int64_t at = draw(0, 20);
  const Time middle = system.tasks[order.front()].Y;
  const bool full = draw(0, 1) == 0;
  for (const std::size_t i : order) {
    const Task& task = system.tasks[i];
    const std::int64_t T = task.T.count();
    std::int64_t t = meet ? (at - (task.Y > middle ? draw(0, 1) : 0)) % T : draw(0, 12);
    if (t < 0) t += T;
    const bool only_then = meet && draw(0, 2) == 0;
    for (; t <= 60; t += T + (full ? 0 : draw(0, 3) / 3)) {
      if (only_then && t + T <= at) continue;
      const std::int64_t C = full || draw(0, 3) > 0 ? task.C.count() : draw(1, task.C.count());
      all.jobs.push_back({i, t, C, t + task.Y.count()});
      all.in_front.push_back(draw(0, 1) == 0);
    }
  }
  return all;
}

std::vector<std::int64_t> worst_responses(const System& system, Draw& draw, bool sequential, int schedules) {
  std::vector<std::int64_t> worst(system.tasks.size(), 0);
  for (int schedule = 0; schedule < schedules; ++schedule) {
    const Jobs all = random_jobs(system, draw);
    const auto response = rta::test::simulate_non_preemptive(all.jobs, system.m, sequential, all.in_front);
    for (std::size_t j = 0; j < all.jobs.size(); ++j) worst[all.jobs[j].task] = std::max(worst[all.jobs[j].task], response[j]);
  }
  return worst;
}

double longest(std::vector<double> pieces, std::int64_t count) {
  std::ranges::sort(pieces, std::greater<>());
  const auto n = std::clamp<std::int64_t>(count, 0, static_cast<std::int64_t>(pieces.size()));
  return std::accumulate(pieces.begin(), pieces.begin() + n, 0.);
}

/// How many pieces fewer than the theorem a form counts: of all jobs, of those with later points.
struct Form {
  std::int64_t all = 0, later = 0;
  bool released_later = true;
};

double T1b(const System& system, std::span<const Time> R, std::size_t k, std::int64_t c, const Form& form) {
  const std::int64_t m = system.m;
  std::vector<double> all, later;
  double demand = 0;
  for (std::size_t i = 0; i < system.tasks.size(); ++i) {
    const Task& task = system.tasks[i];
    const auto T = task.T.count();
    const auto ahead = std::min((task.Y - system.tasks[k].Y).count(), R[i].count());
    const auto C = static_cast<double>(task.C.count());
    for (std::int64_t n = (R[i].count() + T - 1) / T; n > 0; --n) all.push_back(C);
    for (std::int64_t n = ahead > 0 ? (ahead + T - 1) / T : 0; n > 0; --n) later.push_back(C);
    const double share = 1 - static_cast<double>((task.Y - system.tasks[k].Y).count()) / static_cast<double>(T);
    demand += C * std::clamp(share, 0., form.released_later ? 1e9 : 1.);
  }
  const double carry = std::min(longest(all, c - form.all) + longest(later, m - c - form.later),
                                longest(all, c - 1 - form.all) + longest(later, m - c + 1 - form.later));
  const auto C = static_cast<double>(system.tasks[k].C.count());
  return C + (carry + demand - C) / static_cast<double>(m);
}

double T1bn(const System& system, std::span<const Time> R, std::size_t k, std::int64_t start_less, std::int64_t blocking_less) {
  std::vector<double> later;
  double work = 0;
  const Task& own = system.tasks[k];
  for (std::size_t i = 0; i < system.tasks.size(); ++i) {
    const Task& task = system.tasks[i];
    const auto T = task.T.count();
    const auto ahead = std::min((task.Y - own.Y).count(), R[i].count());
    for (std::int64_t n = ahead > 0 ? (ahead + T - 1) / T : 0; n > 0; --n) later.push_back(static_cast<double>(task.C.count()));
    const auto length = R[i].count() + std::min((own.Y - task.Y).count(), (R[k] - own.C).count() - start_less);
    const std::int64_t jobs = length > 0 ? (length + T - 1) / T : 0;
    work += static_cast<double>(jobs * task.C.count());
  }
  const auto C = static_cast<double>(own.C.count());
  return C + (work - C + longest(later, system.m - blocking_less)) / system.m;
}

}  // namespace

TEST_CASE("T1b, T1be, T1bn: no schedule is above them, the program's bounds are no larger than T1b's, and each weaker form is broken") {
  Draw draw(47);
  const std::array broken{Form{.later = 1}, Form{.all = 1}, Form{.all = 0, .later = 9}, Form{.released_later = false}};
  std::array<int, broken.size()> caught{};
  int caught_n = 0;
  int reached = 0;
  int blocked = 0;
  std::array<int, 3> by{};
  for (int round = 0; round < 1500; ++round) {
    const System system = random_system(draw, false);
    if (system.tasks.empty()) continue;
    const auto plain = gel::non_preemptive_bounds(system.tasks, system.m);
    const auto refined = gel::non_preemptive_bounds(system.tasks, system.m, gel::Refinement::all);
    const auto preemptive = gel::response_bounds(system.tasks, system.m, gel::Refinement::all);
    REQUIRE(plain);
    REQUIRE(refined);
    REQUIRE(preemptive);
    const auto worst = worst_responses(system, draw, false, 40);
    const auto ceil_U = static_cast<std::int64_t>(gel::utilization(system.tasks).ceil());
    for (std::size_t k = 0; k < system.tasks.size(); ++k) {
      CHECK(worst[k] <= refined->R[k].count());
      CHECK(refined->R[k] <= plain->R[k]);
      for (std::int64_t c = std::max<std::int64_t>(1, ceil_U); c <= system.m; ++c) {
        const double letter = T1b(system, plain->R, k, c, {});
        CHECK(static_cast<double>(worst[k]) <= letter + 1e-6);
        CHECK(static_cast<double>(refined->R[k].count()) <= letter + 1 + 1e-6);
        for (std::size_t f = 0; f < broken.size(); ++f) {
          caught[f] += static_cast<double>(worst[k]) > T1b(system, refined->R, k, c, broken[f]) + 1e-6 ? 1 : 0;
        }
      }
      caught_n += static_cast<double>(worst[k]) > T1bn(system, refined->R, k, 0, 1) + 1e-6 ? 1 : 0;
      reached += worst[k] == refined->R[k].count() ? 1 : 0;
      blocked += worst[k] > preemptive->R[k].count() ? 1 : 0;
      using rta::analysis::Theorem;
      by[0] += refined->theorem[k] == Theorem::T1b ? 1 : 0;
      by[1] += refined->theorem[k] == Theorem::T1be ? 1 : 0;
      by[2] += refined->theorem[k] == Theorem::T1bn ? 1 : 0;
    }
  }
  MESSAGE(reached, " reached, ", blocked, " above the preemptive bounds; T1b ", by[0], ", T1be ", by[1], ", T1bn ", by[2],
          "; caught: ", caught[0], ", ", caught[1], ", ", caught[2], ", ", caught[3], " and ", caught_n);
  CHECK(reached > 100);
  CHECK(blocked > 50);
  for (const int some : by) CHECK(some > 20);
  for (const int violations : caught) CHECK(violations > 5);
  CHECK(caught_n > 5);
}

namespace {

/// T3b's least s for one c by the letter, from left to right in steps of 1/64; `broken`: no task has started before.
double least_s(const System& system, std::int64_t c, std::int64_t fewer_started, std::int64_t fewer_late) {
  const std::int64_t m = system.m;
  const auto& tasks = system.tasks;
  const Time shift = std::ranges::min(tasks, {}, &Task::Y).Y;
  double S = 0;
  std::vector<double> started, share, C, u;
  for (const Task& task : tasks) {
    C.push_back(static_cast<double>(task.C.count()));
    u.push_back(C.back() / static_cast<double>(task.T.count()));
    share.push_back(C.back() * std::max(0., 1 - static_cast<double>((task.Y - shift).count()) / static_cast<double>(task.T.count())));
    S += share.back();
    if (task.Y > shift) started.push_back(C.back());
  }
  const auto G = [&](double s) {
    std::vector<double> late;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      late.push_back(std::max(0., (s - C[i]) / static_cast<double>(m)) * u[i] + C[i] - share[i]);
    }
    const double others = longest(late, c - 1 - fewer_late);
    double with_one = others;
    for (std::size_t j = 0; fewer_started == 0 && j < tasks.size(); ++j) {
      if (tasks[j].Y == shift) continue;
      std::vector<double> rest = late;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(j));
      with_one = std::max(with_one, longest(rest, c - 1 - fewer_late) + C[j] - share[j]);
    }
    return std::min(with_one + longest(started, m - c - fewer_started), others + longest(started, m - c + 1 - fewer_started));
  };
  double s = 0;
  while (s < G(s) + S) s += 1. / 64;
  return s;
}

double T3b(const System& system, double s, std::size_t k) {
  const Task& task = system.tasks[k];
  const Time shift = std::ranges::min(system.tasks, {}, &Task::Y).Y;
  const auto C = static_cast<double>(task.C.count());
  return static_cast<double>((task.Y - shift).count()) + C + std::max(0., (s - C) / system.m);
}

/// Devi and Anderson without preemption: G-EDF, D = T: tardiness x + C_k, x = (sum of the m largest C - C_min)/(m - sum of the m - 1
/// largest u).
double devi(const System& system, std::size_t k) {
  std::vector<double> C, u;
  for (const Task& task : system.tasks) {
    C.push_back(static_cast<double>(task.C.count()));
    u.push_back(C.back() / static_cast<double>(task.T.count()));
  }
  const double x = (longest(C, system.m) - std::ranges::min(C)) / (system.m - longest(u, std::int64_t{system.m} - 1));
  return static_cast<double>(system.tasks[k].T.count()) + C[k] + std::max(0., x);
}

}  // namespace

TEST_CASE("T3b: no schedule of sequential tasks is above it, it is never above Devi and Anderson's, and weaker forms are broken") {
  Draw draw(48);
  int reached = 0;
  std::array<int, 2> caught{};
  int implicit = 0;
  for (int round = 0; round < 1500; ++round) {
    System system = random_system(draw, true);
    if (round % 3 == 0) {
      for (Task& task : system.tasks) task.Y = task.T;
    }
    if (system.tasks.empty()) continue;
    const auto bounds = rta::analysis::gel_sequential::non_preemptive_bounds(system.tasks, system.m);
    REQUIRE(bounds);
    const auto worst = worst_responses(system, draw, true, 40);
    const auto ceil_U = static_cast<std::int64_t>(gel::utilization(system.tasks).ceil());
    double least = 1e18;
    std::array<double, 2> broken{1e18, 1e18};
    for (std::int64_t c = std::max<std::int64_t>(1, ceil_U); c <= system.m; ++c) {
      least = std::min(least, least_s(system, c, 0, 0));
      broken[0] = std::min(broken[0], least_s(system, c, 1, 0));
      broken[1] = std::min(broken[1], least_s(system, c, 0, 1));
    }
    for (std::size_t k = 0; k < system.tasks.size(); ++k) {
      CHECK(worst[k] <= bounds->R[k].count());
      CHECK(static_cast<double>(bounds->R[k].count()) <= T3b(system, least, k) + 1 + 1e-6);
      CHECK(static_cast<double>(bounds->R[k].count()) >= T3b(system, least, k) - 1. / 32);
      reached += worst[k] == bounds->R[k].count() ? 1 : 0;
      for (std::size_t f = 0; f < broken.size(); ++f) caught[f] += static_cast<double>(worst[k]) > T3b(system, broken[f], k) + 1e-6 ? 1 : 0;
      if (round % 3 == 0) {
        ++implicit;
        CHECK(static_cast<double>(bounds->R[k].count()) <= devi(system, k) + 1 + 1e-6);
      }
    }
  }
  MESSAGE(reached, " reached, ", implicit, " beside Devi and Anderson's; caught: ", caught[0], ", ", caught[1]);
  CHECK(reached > 20);
  CHECK(implicit > 500);
  CHECK(caught[0] > 0);
}
