// The laws that bounds on CPU pools obey, over generated task sets.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <numeric>
#include <random>

#include "rta/analysis/cpu/gel.hpp"
#include "rta/analysis/cpu/gel_sequential.hpp"
#include "support/gel_simulation.hpp"

namespace {

using rta::Time;
using rta::analysis::gel::Refinement;
using rta::analysis::gel::Task;
using rta::test::GelJob;
namespace gel = rta::analysis::gel;
namespace gel_sequential = rta::analysis::gel_sequential;

constexpr std::array refinements{Refinement::none, Refinement::demand, Refinement::carry, Refinement::response, Refinement::all};

struct System {
  std::uint32_t m;
  std::vector<Task> tasks;
};

// True if `body` holds for `cases` generated inputs (or as many as RC_PARAMS asks for, if more).
template <class Body>
bool holds(int cases, Body body) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = std::max(params.maxSuccess, cases);
  const auto result = rc::detail::checkTestable(body, rc::detail::TestMetadata{}, params);
  if (result.template is<rc::detail::SuccessResult>()) return true;
  rc::detail::printResultMessage(result, std::cerr);
  std::cerr << '\n';
  return false;
}

// A small pool near its capacity; `heavy`: utilizations above 1 as well.
System arbitrary_system(bool heavy) {
  System system;
  system.m = *rc::gen::inRange<std::uint32_t>(1, 6);
  const auto n = *rc::gen::inRange<std::size_t>(1, 7);
  for (std::size_t i = 0; i < n; ++i) {
    const auto T = *rc::gen::inRange<std::int64_t>(1, 13);
    const auto C = *rc::gen::inRange<std::int64_t>(1, heavy ? 15 : T + 1);
    const auto Y = *rc::gen::inRange<std::int64_t>(-6, 25);
    system.tasks.push_back({Time(C), Time(T), Time(Y)});
  }
  while (gel::utilization(system.tasks).compare(system.m) > 0) system.tasks.pop_back();
  RC_PRE(!system.tasks.empty());
  return system;
}

// Releases at least T apart, mostly exactly; execution times mostly the worst case; ties in a random order of the tasks.
std::vector<GelJob> arbitrary_jobs(const System& system, std::mt19937_64& random) {
  const auto pick = [&](std::int64_t from, std::int64_t to) { return std::uniform_int_distribution(from, to)(random); };
  std::vector<std::size_t> order(system.tasks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  const std::int64_t horizon = pick(10, 60);
  const bool eager = pick(0, 1) == 0;
  std::vector<GelJob> jobs;
  for (const std::size_t i : order) {
    const Task& task = system.tasks[i];
    for (std::int64_t t = pick(0, horizon); t <= horizon + 12; t += task.T.count()) {
      const std::int64_t C = eager || pick(0, 5) > 0 ? task.C.count() : pick(1, task.C.count());
      jobs.push_back({i, t, C, t + task.Y.count()});
      if (!eager && pick(0, 5) == 0) t += pick(1, 6);
    }
  }
  return jobs;
}

void never_above(const System& system, const std::vector<Time>& R, const std::vector<GelJob>& jobs,
                 const std::vector<std::int64_t>& response) {
  RC_ASSERT(R.size() == system.tasks.size());
  for (std::size_t j = 0; j < jobs.size(); ++j) RC_ASSERT(response[j] <= R[jobs[j].task].count());
}

}  // namespace

TEST_CASE("law 1: no schedule shows a response above T1 and its refinements") {
  CHECK(holds(1000, [] {
    const System system = arbitrary_system(true);
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    std::mt19937_64 random(seed);
    std::vector<std::vector<Time>> R;
    R.reserve(refinements.size());
    for (const Refinement refinement : refinements) R.push_back(gel::response_bounds(system.tasks, system.m, refinement)->R);
    for (int schedule = 0; schedule < 40; ++schedule) {
      const auto jobs = arbitrary_jobs(system, random);
      const auto response = rta::test::simulate_gel(jobs, system.m);
      for (const auto& bounds : R) never_above(system, bounds, jobs, response);
    }
  }));
}

TEST_CASE("law 1: no schedule of sequential tasks shows a response above T3, nor above T4 under G-EDF") {
  CHECK(holds(1000, [] {
    System system = arbitrary_system(false);
    const bool edf = *rc::gen::arbitrary<bool>();
    if (edf) {
      for (Task& task : system.tasks) task.Y = task.T;
    }
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    std::mt19937_64 random(seed);
    const auto T3 = gel_sequential::response_bounds(system.tasks, system.m);
    const auto T4 = gel_sequential::devi_anderson_bounds(system.tasks, system.m);
    RC_ASSERT(static_cast<bool>(T3) && static_cast<bool>(T4));
    for (int schedule = 0; schedule < 40; ++schedule) {
      const auto jobs = arbitrary_jobs(system, random);
      const auto response = rta::test::simulate_gel(jobs, system.m, true);
      never_above(system, T3->R, jobs, response);
      if (edf) never_above(system, T4->R, jobs, response);
    }
  }));
}

TEST_CASE("T3s: where T1's bounds are at most the periods, sequential tasks obey them too") {
  CHECK(holds(1000, [] {
    System system = arbitrary_system(false);
    system.m += 2;  // light enough for some to qualify
    for (Task& task : system.tasks) task.Y = Time(task.Y.count() / 8);
    const auto bounds = gel::response_bounds(system.tasks, system.m, Refinement::all);
    for (std::size_t i = 0; i < system.tasks.size(); ++i) RC_PRE(bounds->R[i] <= system.tasks[i].T);
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint32_t>());
    for (int schedule = 0; schedule < 40; ++schedule) {
      const auto jobs = arbitrary_jobs(system, random);
      never_above(system, bounds->R, jobs, rta::test::simulate_gel(jobs, system.m, true));
    }
  }));
}

TEST_CASE("law 2: a refinement never makes a bound larger, and all of them together are the least") {
  CHECK(holds(1000, [] {
    const System system = arbitrary_system(true);
    const auto plain = gel::response_bounds(system.tasks, system.m)->R;
    const auto all = gel::response_bounds(system.tasks, system.m, Refinement::all)->R;
    for (const Refinement refinement : refinements) {
      const auto R = gel::response_bounds(system.tasks, system.m, refinement)->R;
      for (std::size_t k = 0; k < R.size(); ++k) {
        RC_ASSERT(R[k] <= plain[k]);
        RC_ASSERT(all[k] <= R[k]);
        RC_ASSERT(R[k] >= system.tasks[k].C);
      }
    }
  }));
}

TEST_CASE("law 3: T1 at fixed Y never rises when a C falls") {
  CHECK(holds(1000, [] {
    const System system = arbitrary_system(true);
    System less = system;
    const auto i = *rc::gen::inRange<std::size_t>(0, system.tasks.size());
    less.tasks[i].C = Time(*rc::gen::inRange<std::int64_t>(0, system.tasks[i].C.count() + 1));
    const auto before = gel::response_bounds(system.tasks, system.m)->R;
    const auto after = gel::response_bounds(less.tasks, less.m)->R;
    for (std::size_t k = 0; k < before.size(); ++k) RC_ASSERT(after[k] <= before[k]);
  }));
}

TEST_CASE("law 5: scaling all times scales every bound") {
  CHECK(holds(1000, [] {
    const System system = arbitrary_system(false);
    const auto k = *rc::gen::inRange<std::int64_t>(1, 1'000'000);
    System scaled = system;
    for (Task& task : scaled.tasks) task = {task.C * k, task.T * k, task.Y * k};
    const auto follows = [&](const std::vector<Time>& once, const std::vector<Time>& times_k) {
      for (std::size_t i = 0; i < once.size(); ++i) {
        RC_ASSERT(times_k[i].count() <= k * once[i].count() + 1);  // the finer grid only helps, but for one last ns
        RC_ASSERT(times_k[i].count() > k * (once[i].count() - 1) - k / 1000 - 1);
      }
    };
    follows(gel::response_bounds(system.tasks, system.m)->R, gel::response_bounds(scaled.tasks, system.m)->R);
    follows(gel::response_bounds(system.tasks, system.m, Refinement::demand)->R,
            gel::response_bounds(scaled.tasks, system.m, Refinement::demand)->R);
    follows(gel_sequential::response_bounds(system.tasks, system.m)->R, gel_sequential::response_bounds(scaled.tasks, system.m)->R);
    follows(gel_sequential::devi_anderson_bounds(system.tasks, system.m)->R,
            gel_sequential::devi_anderson_bounds(scaled.tasks, system.m)->R);
  }));
}

TEST_CASE("law 5: permuting tasks permutes bounds") {
  CHECK(holds(1000, [] {
    const System system = arbitrary_system(false);
    std::vector<std::size_t> order(system.tasks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint32_t>());
    std::shuffle(order.begin(), order.end(), random);
    System mixed = system;
    for (std::size_t i = 0; i < order.size(); ++i) mixed.tasks[i] = system.tasks[order[i]];
    const auto follows = [&](const std::vector<Time>& a, const std::vector<Time>& b) {
      for (std::size_t i = 0; i < order.size(); ++i) RC_ASSERT(b[i] == a[order[i]]);
    };
    for (const Refinement refinement : refinements) {
      follows(gel::response_bounds(system.tasks, system.m, refinement)->R, gel::response_bounds(mixed.tasks, system.m, refinement)->R);
    }
    follows(gel_sequential::response_bounds(system.tasks, system.m)->R, gel_sequential::response_bounds(mixed.tasks, system.m)->R);
    follows(gel_sequential::devi_anderson_bounds(system.tasks, system.m)->R,
            gel_sequential::devi_anderson_bounds(mixed.tasks, system.m)->R);
  }));
}
