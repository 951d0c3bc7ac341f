#include "rta/validation/release_plan.hpp"

#include <algorithm>

namespace rta::validation {
namespace {

bool unbounded(const analysis::DagBound& dag) {
  return std::ranges::any_of(dag.nodes, [](const analysis::NodeBound& node) { return !node.offset; });
}

simulate::Schedule offsets_of(const analysis::Analysis& analysis, bool early, std::vector<std::string>& warnings) {
  simulate::Times Phi;
  simulate::Times Y;
  for (const analysis::DagBound& dag : analysis.dags) {
    auto& offsets = Phi.emplace_back();
    auto& points = Y.emplace_back();
    for (const analysis::NodeBound& node : dag.nodes) {
      offsets.push_back(node.offset.value_or(Time::zero()));
      points.push_back(node.priority_point.value_or(Time::zero()));
    }
  }
  simulate::Schedule schedule = simulate::with_offsets(*analysis.task_set, Phi, Y, early);
  for (DagId d = 0; d < analysis.dags.size(); ++d) {
    if (!unbounded(analysis.dags[d])) continue;
    const Dag& dag = analysis.task_set->dags()[d];
    warnings.push_back("DAG '" + dag.name() +
                       "' has no offsets, because some node of it has no bound; its nodes are released on completion");
    // Sources keep their offset: the DAG's release.
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      if (!dag.predecessors(v).empty()) schedule.nodes[d][v].offset = std::nullopt;
    }
  }
  return schedule;
}

simulate::Schedule completion_of(const analysis::Analysis& analysis, std::vector<std::string>& warnings) {
  const TaskSet& task_set = *analysis.task_set;
  std::vector<Time> Y;
  for (const Dag& dag : task_set.dags()) Y.push_back(dag.deadline().value_or(dag.period()));
  for (const Pool& pool : task_set.pools()) {
    const auto* cpu = std::get_if<CpuPool>(&pool.resource);
    if (cpu == nullptr || cpu->scheduler == Scheduler::fifo || cpu->scheduler == Scheduler::g_edf) continue;
    warnings.push_back("pool '" + pool.name + "': on completion, all nodes of a DAG share G-EDF's priority point, not " +
                       std::string(to_string(cpu->scheduler)) + "'s");
  }
  return simulate::on_completion(task_set, Y);
}

}  // namespace

std::string_view to_string(Release release) {
  switch (release) {
    case Release::offsets: return "offsets";
    case Release::early: return "early";
    case Release::completion: return "completion";
  }
  return "";
}

ReleasePlan release_plan(const analysis::Analysis& analysis, Release release) {
  ReleasePlan plan;
  plan.release = release;
  plan.schedule = release == Release::completion ? completion_of(analysis, plan.warnings)
                                                 : offsets_of(analysis, release == Release::early, plan.warnings);
  // A DAG's source is released by the clock, whatever releases the other nodes.
  for (DagId d = 0; d < analysis.dags.size(); ++d) {
    const Dag& dag = analysis.task_set->dags()[d];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      if (dag.predecessors(v).empty()) plan.schedule.nodes[d][v].offset = Time::zero();
    }
  }
  const bool proven = release != Release::completion;
  if (!proven) plan.warnings.emplace_back("the bounds at hand are for release at offsets; on completion none is shown");
  for (const analysis::DagBound& dag : analysis.dags) {
    plan.dag_bound.push_back(proven ? dag.R : std::nullopt);
    auto& nodes = plan.node_bound.emplace_back();
    for (const analysis::NodeBound& node : dag.nodes) nodes.push_back(proven && dag.R ? node.R : std::nullopt);
  }
  return plan;
}

}  // namespace rta::validation
