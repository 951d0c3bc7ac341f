#include "rta/simulate/experiment.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "plan.hpp"
#include "simulation.hpp"

namespace rta::simulate {
namespace {

[[noreturn]] void invalid(const std::string& what) { throw std::invalid_argument(what); }

}  // namespace

Experiment::Experiment(std::string name, std::vector<Pool> pools, std::vector<Operation> operations)
    : name_(std::move(name)), pools_(std::move(pools)), operations_(std::move(operations)) {
  std::unordered_set<std::string> names;
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const Operation& o = operations_[i];
    const std::string subject = "operation '" + o.name + "'";
    if (!names.insert(o.name).second) invalid(subject + " exists twice");
    if (o.pool >= pools_.size()) invalid(subject + ": unknown pool");
    const PoolKind wanted = std::holds_alternative<GpuDemand>(o.demand) ? PoolKind::gpu : PoolKind::engines;
    if (pools_[o.pool].kind() != wanted) invalid(subject + " does not fit pool '" + pools_[o.pool].name + "'");
    if (o.stream.empty()) invalid(subject + " has no stream");
    if (o.at < Time::zero() || o.delay < Time::zero()) invalid(subject + ": times must not be negative");
    for (const std::size_t before : o.after) {
      if (before >= i) invalid(subject + " waits for an operation that is not earlier");
    }
  }
  if (operations_.empty()) invalid("an experiment needs an operation");
}

namespace {

Plan make_plan(const Experiment& experiment, const Options& options) {
  Plan plan;
  std::vector<std::uint32_t> first;
  add_pools(experiment.pools(), {}, plan, first);
  const auto operations = experiment.operations();
  std::vector<std::vector<PlanEdge>> edges(operations.size());
  std::unordered_map<std::string, std::uint32_t> streams;
  PlanDag dag;
  dag.once = true;
  dag.nodes = static_cast<std::uint32_t>(operations.size());
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    const Operation& o = operations[i];
    PlanNode n;
    n.index = i;
    n.stream = streams.try_emplace(o.stream, static_cast<std::uint32_t>(streams.size())).first->second;
    set_demand(std::visit([](const auto& d) { return AnyDemand(d); }, o.demand), experiment.pools()[o.pool], first[o.pool], o.name, n);
    set_execution(options.execution, n);
    n.reference = checked_duration(o.at, "at");
    auto after = o.after;
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());
    for (const std::size_t before : after) edges[before].push_back({i, checked_duration(o.delay, "delay")});
    n.predecessors = static_cast<std::uint32_t>(after.size());
    if (n.reference > 0) {
      ++n.predecessors;
      dag.gates.push_back({n.reference, i});
    } else if (after.empty()) {
      dag.sources.push_back(i);
    }
    plan.nodes.push_back(n);
  }
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    plan.nodes[i].first_edge = static_cast<std::uint32_t>(plan.edges.size());
    plan.edges.insert(plan.edges.end(), edges[i].begin(), edges[i].end());
    plan.nodes[i].end_edge = static_cast<std::uint32_t>(plan.edges.size());
  }
  std::stable_sort(dag.gates.begin(), dag.gates.end(), [](const Gate& a, const Gate& b) { return a.offset < b.offset; });
  plan.dags.push_back(std::move(dag));
  plan.streams = static_cast<std::uint32_t>(streams.size());
  if (const auto at = streams.find(null_stream); at != streams.end()) plan.null_stream = at->second;
  return plan;
}

}  // namespace

Observation simulate(const Experiment& experiment, const Options& options, Observer* observer) {
  const Plan plan = make_plan(experiment, options);
  Options once = options;
  once.duration = Time(1);
  return Simulation(plan, once, observer).run();
}

}  // namespace rta::simulate
