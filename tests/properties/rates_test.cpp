// Rates of periodic DAGs: bounds by a clock on which periods are whole, against the same set in parts of a ns, in which they are whole as
// well.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/simulate/simulate.hpp"
#include "support/random_system.hpp"

using namespace rta;
using namespace rta::test;

namespace {

constexpr std::int64_t parts = 21;  // of a ns: all periods below are whole numbers of these
constexpr std::array<std::int64_t, 5> rates{30, 60, 15, 10, 7};

struct RatedTask {
  std::int64_t rate, phase;
  std::vector<std::int64_t> C;  // of a chain of nodes
};

std::string text_of(const std::vector<RatedTask>& tasks) {
  std::string text = "platform: {cpu: {processors: 1, scheduler: FIFO}}\ndags:\n";
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    text +=
        fmt::format("  - name: d{}\n    T: {} Hz\n    periodic: true\n    phase: {} ns\n    nodes:\n", i, tasks[i].rate, tasks[i].phase);
    std::string edges;
    for (std::size_t v = 0; v < tasks[i].C.size(); ++v) {
      text += fmt::format("      n{}: {{on: cpu, C: {} ns}}\n", v, tasks[i].C[v]);
      if (v > 0) edges += fmt::format("{}n{} -> n{}", v > 1 ? ", " : "", v - 1, v);
    }
    if (!edges.empty()) text += fmt::format("    edges: [{}]\n", edges);
  }
  return text;
}

/// The same set, with times in parts of a ns.
TaskSet in_parts(const std::vector<RatedTask>& tasks, const TaskSet& read) {
  std::vector<Dag> dags;
  for (DagId d = 0; d < tasks.size(); ++d) {
    const Dag& dag = read.dags()[d];
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (std::size_t v = 0; v < nodes.size(); ++v) nodes[v].demand = CpuDemand{Time(tasks[d].C[v] * parts)};
    DagAttributes attributes = dag.attributes();
    attributes.phase = Time(tasks[d].phase * parts);
    dags.emplace_back(dag.name(), Time(parts * 1'000'000'000 / tasks[d].rate), std::nullopt, std::move(nodes),
                      std::vector<Edge>(dag.edges().begin(), dag.edges().end()), attributes);
  }
  return {"parts", {read.pools().begin(), read.pools().end()}, std::move(dags)};
}

/// Its DAGs with other executions, as if the clock were none.
TaskSet with_executions(const std::vector<RatedTask>& tasks, const TaskSet& read) {
  std::vector<Dag> dags;
  for (DagId d = 0; d < tasks.size(); ++d) {
    const Dag& dag = read.dags()[d];
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (std::size_t v = 0; v < nodes.size(); ++v) nodes[v].demand = CpuDemand{Time(tasks[d].C[v])};
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::vector<Edge>(dag.edges().begin(), dag.edges().end()),
                      dag.attributes());
  }
  return {"wrong", {read.pools().begin(), read.pools().end()}, std::move(dags)};
}

analysis::Proof proof_of(const TaskSet& set) {
  return analysis::analyze(std::make_shared<const TaskSet>(set), analysis::options_of({{"release", "completion"}})).proof;
}

/// DAGs of which a run in parts of a ns saw more than the bound.
std::size_t exceeded(const TaskSet& fine, const analysis::Proof& proof, simulate::Options options) {
  const auto seen = simulate::simulate(fine, schedule_of(proof_of(fine)), options);
  std::size_t count = 0;
  for (DagId d = 0; d < fine.dags().size(); ++d) {
    const auto& bound = proof.dags[d].bound;
    if (bound && seen.dags[d].response.count() > 0 && seen.dags[d].response.max().count() > bound->R.count() * parts) ++count;
  }
  return count;
}

std::vector<RatedTask> random_tasks(Dice& dice) {
  std::vector<RatedTask> tasks(static_cast<std::size_t>(dice.between(2, 4)));
  for (RatedTask& task : tasks) {
    task.rate = rates.at(static_cast<std::size_t>(dice.between(0, 4)));
    task.phase = dice.between(0, 8) * 5'000'000;
    task.C.resize(static_cast<std::size_t>(dice.between(1, 3)));
    const std::int64_t T = 1'000'000'000 / task.rate;
    for (std::int64_t& C : task.C) C = dice.between(1, T * 2 / 3 / static_cast<std::int64_t>(tasks.size() * task.C.size()));
  }
  return tasks;
}

}  // namespace

TEST_CASE("Rates: bounds by the common clock hold by any, and longer periods alone are caught") {
  Dice dice(11);
  std::size_t systems = 0, bounded = 0, caught = 0;
  while (systems < 200) {
    const auto tasks = random_tasks(dice);
    const auto read = io::parse_task_set(text_of(tasks), "rates.yaml").task_set;
    const TaskSet fine = in_parts(tasks, read);
    const auto proof = proof_of(read), wrong = proof_of(with_executions(tasks, read));
    ++systems;
    for (const auto& dag : proof.dags) bounded += static_cast<std::size_t>(dag.bound.has_value());
    for (const simulate::PartsPerMillion least : {simulate::whole, simulate::PartsPerMillion{0}}) {
      simulate::Options options;
      options.duration = Time(parts * 2'000'000'000);
      options.seed = static_cast<std::uint64_t>(dice.between(1, 1'000'000));
      options.execution = {least, simulate::whole};
      CAPTURE(text_of(tasks));
      CHECK(exceeded(fine, proof, options) == 0);
      caught += exceeded(fine, wrong, options);
    }
  }
  CHECK(bounded > 300);
  CHECK(caught > 0);
}
