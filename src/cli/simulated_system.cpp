#include "simulated_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "rta/analysis/priority_points.hpp"

namespace rta::cli {
namespace {

// Y of a node that the analysis leaves without, because its pool has no bound.
Time default_priority_point(const TaskSet& set, const Dag& dag, const Node& node) {
  const auto* cpu = std::get_if<CpuPool>(&set.pools()[node.pool].resource);
  if (cpu == nullptr) return Time::zero();
  return analysis::priority_point(cpu->scheduler, node.deadline.value_or(dag.period()), std::get<CpuDemand>(node.demand).C,
                                  cpu->processors);
}

// Where a pool's demand exceeds its capacity, responses grow with the simulated time.
void warn_of_unbounded_pool(const analysis::Analysis& analysis, validation::Release release, SimulatedSystem& system) {
  const auto pool = std::ranges::find_if(analysis.pools, [](const auto& p) { return !p.bounded; });
  if (pool == analysis.pools.end()) return;
  system.warnings.push_back(fmt::format("no bound on {}: {}", validation::to_string(release), pool->explanation));
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
  warn_of_unbounded_pool(analysis, early ? validation::Release::early : validation::Release::offsets, out);
  return out;
}

SimulatedSystem system_on_completion(const analysis::Analysis& analysis, validation::Release release) {
  validation::ReleasePlan plan = validation::release_plan(analysis, release);
  SimulatedSystem out;
  out.task_set = analysis.task_set;
  out.schedule = std::move(plan.schedule);
  out.warnings = std::move(plan.warnings);
  for (DagId d = 0; d < analysis.dags.size(); ++d) {
    const auto& bound = analysis.dags[d];
    out.dags.push_back({bound.R, bound.theorem});
    auto& nodes = out.nodes.emplace_back();
    for (NodeId v = 0; v < bound.nodes.size(); ++v) nodes.push_back({plan.node_bound[d][v], bound.nodes[v].theorem});
  }
  warn_of_unbounded_pool(analysis, release, out);
  return out;
}

}  // namespace rta::cli
