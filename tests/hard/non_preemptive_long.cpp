// The counts of docs/theory/hard.md for G-EDF without preemption: T1b, T3b and T10d beside T10n and Devi and Anderson's bound.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/policies/policies.hpp"
#include "rta/analysis/cpu/gel_sequential.hpp"
#include "support/dag_acceptance.hpp"
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

analysis::path::System to_path_system(const std::vector<analysis::hard::Task>& tasks, std::uint32_t m) {
  analysis::path::System system;
  system.pools.resize(1);
  system.pools[0].capacity = m;
  system.pools[0].order = analysis::path::Order::gel_non_preemptive;
  for (const auto& task : tasks) {
    analysis::path::Dag& dag = system.dags.emplace_back();
    dag.T = dag.Y = task.T;
    analysis::path::Node& node = dag.nodes.emplace_back();
    node.e = task.C;
    node.s = node.vol = task.C.count();
  }
  return system;
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

/// Sets that are accepted.
struct Row {
  int now = 0;
  int without = 0;     // T10d
  int completion = 0;  // without T10d and T1b
};

/// `rows`: of .3, .4, .5 and .6 load.
void count(std::uint32_t m, std::uint64_t sets, const std::array<Row, 4>& rows) {
  constexpr std::array loads{.3, .4, .5, .6, .7, .8, .9, .99};
  for (std::size_t place = 0; place < loads.size(); ++place) {
    const double load = loads[place];
    CAPTURE(load);
    Row row;
    int on_completion = 0;
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
      const test::DagAnswer answer = test::accepts(to_path_system(*tasks, m));
      CHECK(meets(completion) == answer.now);
      row.completion += answer.before ? 1 : 0;
      row.without += meets(offsets) || answer.before ? 1 : 0;
      row.now += meets(offsets) || meets(completion) ? 1 : 0;
      on_completion += meets(completion) ? 1 : 0;
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
        fmt::format("m = {}, U/m = {}: all deadlines met in {} of {} sets, without T10d in {}, on completion in {}, without T10d in {}; "
                    "mean R/T {:.2f} by T3b, {:.2f} by Devi and Anderson",
                    m, load, row.now, sets, row.without, on_completion, row.completion, ours / jobs, devi / jobs));
    if (place >= rows.size()) continue;
    CHECK(row.now >= rows[place].now);
    CHECK(row.without >= rows[place].without);
    CHECK(row.completion >= rows[place].completion);
  }
}

}  // namespace

TEST_CASE("4 processors without preemption: all sets are bounded, never above Devi and Anderson's") {
  count(4, 100, {{{100, 93, 86}, {71, 64, 14}, {22, 22, 0}, {4, 4, 0}}});
}
TEST_CASE("8 processors without preemption: all sets are bounded, never above Devi and Anderson's") {
  count(8, 30, {{{30, 29, 24}, {18, 17, 0}, {2, 2, 0}, {0, 0, 0}}});
}
