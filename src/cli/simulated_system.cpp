#include "simulated_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "rta/analysis/path_system.hpp"

namespace rta::cli {
namespace {

// Y of a node that the analysis leaves without, because its pool has no bound.
Time default_priority_point(const TaskSet& set, const Dag& dag, const Node& node) {
  const auto* cpu = std::get_if<CpuPool>(&set.pools()[node.pool].resource);
  if (cpu == nullptr) return Time::zero();
  return analysis::priority_point(cpu->scheduler, node.deadline.value_or(dag.period()), std::get<CpuDemand>(node.demand).C,
                                  cpu->processors);
}

}  // namespace

SimulatedSystem system_with_offsets(const analysis::Analysis& analysis, bool early) {
  SimulatedSystem out;
  out.task_set = analysis.task_set;
  simulate::Times Phi, Y;
  for (DagId d = 0; d < analysis.dags.size(); ++d) {
    const Dag& dag = analysis.task_set->dags()[d];
    const auto& bound = analysis.dags[d];
    out.dags.push_back({bound.R, "offsets"});
    auto& nodes = out.nodes.emplace_back();
    Phi.emplace_back();
    Y.emplace_back();
    for (NodeId v = 0; v < bound.nodes.size(); ++v) {
      const auto& node = bound.nodes[v];
      // Sources are released with their DAG even where nothing is bounded.
      const bool source = dag.predecessors(v).empty();
      if (!node.offset && !source) {
        throw std::invalid_argument(
            fmt::format("node '{}/{}' has no offset, because a predecessor has no bound: simulate with --release completion", dag.name(),
                        dag.nodes()[v].name));
      }
      nodes.push_back({node.R, node.theorem});
      Phi.back().push_back(node.offset.value_or(Time::zero()));
      Y.back().push_back(node.priority_point ? *node.priority_point : default_priority_point(*analysis.task_set, dag, dag.nodes()[v]));
    }
  }
  out.schedule = simulate::with_offsets(*out.task_set, Phi, Y, early);
  return out;
}

SimulatedSystem system_on_completion(std::shared_ptr<const TaskSet> task_set, bool non_preemptive) {
  namespace path = analysis::path;
  SimulatedSystem out;
  const TaskSet& set = *task_set;
  const std::vector<Time> Y = analysis::dag_priority_points(set);
  std::vector<bool> pools(set.pools().size(), non_preemptive);
  out.schedule = simulate::on_completion(set, Y, pools);
  out.dags.resize(set.dags().size());
  bool sequential = false;
  for (const Dag& dag : set.dags()) {
    out.nodes.emplace_back(dag.nodes().size());
    sequential = sequential || std::any_of(dag.nodes().begin(), dag.nodes().end(), [](const Node& n) { return n.sequential; });
  }
  out.task_set = std::move(task_set);
  if (sequential) {
    out.warnings.emplace_back("T10 gives no bound on completion for sequential nodes");
    return out;
  }
  const auto all_weights = analysis::kernel_weights(set);
  if (!all_weights) {
    out.warnings.push_back("no bound on completion: " + all_weights.reason());
    return out;
  }
  std::string reason;
  for (const auto& weights : *all_weights) {
    const auto system = analysis::path_system(set, analysis::whole_dags(set), weights, Y, pools);
    path::Limits limits;
    limits.sweeps = 20'000;
    const auto bounds = path::node_bounds(system.system, path::Refinement::T10j, limits);
    if (!bounds) {
      reason = bounds.reason();
      continue;
    }
    const auto keep = [](Proven& proven, Time R) {
      if (!proven.R || R < *proven.R) proven = {R, "T10n/T10j"};
    };
    for (DagId d = 0; d < set.dags().size(); ++d) {
      for (NodeId v = 0; v < set.dags()[d].nodes().size(); ++v) {
        const auto& place = system.place[d][v];
        keep(out.nodes[d][v], bounds->F[place.dag][place.node]);
      }
      keep(out.dags[d], bounds->R[system.place[d].front().dag]);
    }
  }
  if (!out.dags.front().R) out.warnings.push_back("no bound on completion: " + reason);
  return out;
}

}  // namespace rta::cli
