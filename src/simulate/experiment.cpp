#include <algorithm>
#include <unordered_map>

#include "plan.hpp"
#include "rta/model/overloaded.hpp"
#include "simulation.hpp"

namespace rta::simulate {
namespace {

// Of a call, or of a copy by one, whose stream says when it starts.
PlanCall plan_call(const Operation& o, std::uint32_t stream) {
  const auto* const made = std::get_if<CallDemand>(&o.demand);
  if (made == nullptr) return {.blocks_callers = true};
  return {made->call->awaits, made->call->awaits == Awaited::stream ? stream : none, made->call->holds, made->call->blocks_callers};
}

Plan make_plan(const Experiment& experiment, const Options& options) {
  Plan plan;
  std::vector<std::uint32_t> first;
  add_pools(experiment.pools(), plan, first);
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
    std::uint32_t stream = none;
    if (!o.stream.empty()) {
      stream = streams.try_emplace(o.stream, static_cast<std::uint32_t>(streams.size())).first->second;
      plan.non_blocking.resize(streams.size());
      plan.non_blocking[stream] = o.stream.starts_with(non_blocking_prefix);
    }
    const bool is_call = std::holds_alternative<CallDemand>(o.demand);
    if (is_call || o.by_memcpy) {
      n.call = static_cast<std::uint32_t>(plan.calls.size());
      plan.calls.push_back(plan_call(o, stream));
    }
    if (is_call) {
      n.server = n.call;  // its thread
    } else {
      n.stream = stream;
      set_demand(
          std::visit(overloaded{[](const CallDemand&) { return AnyDemand(); }, [](const auto& d) { return AnyDemand(d); }}, o.demand),
          experiment.pools()[o.pool], first[o.pool], o.name, n);
      set_execution(options.execution, n);
    }
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
  set_kernel_queues(plan);
  plan.streams = static_cast<std::uint32_t>(streams.size());
  if (const auto at = streams.find(std::string(null_stream)); at != streams.end()) plan.null_stream = at->second;
  return plan;
}

}  // namespace

Observation simulate(const Experiment& experiment, const Options& options, Observer* observer) {
  const Plan plan = make_plan(experiment, options);
  Options once = options;
  once.duration = Time(1);
  once.jobs.clear();
  return Simulation(plan, once, observer).run();
}

}  // namespace rta::simulate
