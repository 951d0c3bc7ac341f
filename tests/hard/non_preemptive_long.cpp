// The counts of docs/theory/hard.md for G-EDF without preemption: T1b and T3b beside T10n and Devi and Anderson's bound.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/policies/policies.hpp"
#include "rta/analysis/cpu/gel_sequential.hpp"
#include "support/hard_acceptance.hpp"

namespace {

using namespace rta;
using analysis::gel::Task;

std::shared_ptr<const TaskSet> to_task_set(const std::vector<analysis::hard::Task>& tasks, std::uint32_t m) {
  std::vector<Dag> dags;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const std::string name = fmt::format("t{}", i);
    Node node;
    node.name = name;
    node.demand = CpuDemand{tasks[i].C};
    node.sequential = true;
    dags.emplace_back(name, tasks[i].T, tasks[i].T, std::vector<Node>{std::move(node)}, std::vector<Edge>{});
  }
  std::vector<Pool> pools{{"cpu", CpuPool{.processors = m, .scheduler = Scheduler::g_edf, .preemptive = false}}};
  return std::make_shared<const TaskSet>("set", std::move(pools), std::move(dags));
}

/// x + C of Devi and Anderson without preemption, in ns.
double devi_tardiness(const std::vector<analysis::hard::Task>& tasks, std::uint32_t m, std::size_t k) {
  std::vector<double> C, u;
  for (const auto& task : tasks) {
    C.push_back(static_cast<double>(task.C.count()));
    u.push_back(C.back() / static_cast<double>(task.T.count()));
  }
  const double own = C[k];
  std::ranges::sort(C, std::greater<>());
  std::ranges::sort(u, std::greater<>());
  double E = 0;
  double M = 0;
  for (std::size_t i = 0; i < m; ++i) {
    E += C[i];
    if (i + 1 < m) M += u[i];
  }
  return (E - C.back()) / (m - M) + own;
}

void count(std::uint32_t m, std::uint64_t sets) {
  for (const double load : {.3, .4, .5, .6, .7, .8, .9, .99}) {
    int before = 0;
    int now = 0;
    int at_offsets = 0;
    int bounded_before = 0;
    double devi = 0;
    double ours = 0;
    for (std::uint64_t seed = 0, drawn = 0; drawn < sets; ++seed) {
      test::Dice dice(seed);
      const auto tasks = test::draw_tasks(dice, {m, load, 1});
      if (!tasks) continue;
      ++drawn;
      const auto set = to_task_set(*tasks, m);
      const auto completion = analysis::prove_on_completion(set, {});
      const auto offsets = analysis::prove_at_offsets(set, {});
      const auto meets = [](const analysis::Proof& proof) { return analysis::verdict_of(proof) == analysis::Verdict::schedulable; };
      before += meets(completion) ? 1 : 0;
      now += meets(offsets) || meets(completion) ? 1 : 0;
      at_offsets += meets(offsets) ? 1 : 0;
      bounded_before += std::ranges::all_of(completion.dags, [](const auto& dag) { return dag.bound.has_value(); }) ? 1 : 0;
      std::vector<Task> gel;
      for (const auto& task : *tasks) gel.push_back({task.C, task.T, task.T});
      const auto bounds = analysis::gel_sequential::non_preemptive_bounds(gel, m);
      REQUIRE(bounds);
      for (std::size_t k = 0; k < gel.size(); ++k) {
        const auto T = static_cast<double>(gel[k].T.count());
        const double tardy = static_cast<double>((bounds->R[k] - gel[k].T).count());
        CHECK(tardy <= devi_tardiness(*tasks, m, k) + 1);
        devi += 1 + devi_tardiness(*tasks, m, k) / T;
        ours += static_cast<double>(bounds->R[k].count()) / T;
        REQUIRE(offsets.dags[k].bound.has_value());
      }
    }
    const double jobs = static_cast<double>(sets) * 5 * m;
    MESSAGE(
        fmt::format("m = {}, U/m = {}: all deadlines met in {} of {} sets, at offsets in {}, on completion in {}; on completion all "
                    "bounded in {}; mean "
                    "R/T {:.2f} by T3b, {:.2f} by Devi and Anderson",
                    m, load, now, sets, at_offsets, before, bounded_before, ours / jobs, devi / jobs));
  }
}

}  // namespace

TEST_CASE("4 processors without preemption: all sets are bounded, never above Devi and Anderson's") { count(4, 100); }
TEST_CASE("8 processors without preemption: all sets are bounded, never above Devi and Anderson's") { count(8, 30); }
