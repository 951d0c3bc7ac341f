#include "rta/validation/release_plan.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "rta/analysis/path_system.hpp"

namespace rta::validation {
namespace {

constexpr std::array releases{Release::offsets, Release::early, Release::completion, Release::segments};

analysis::ReleasePolicy policy_of(Release release) {
  switch (release) {
    case Release::offsets:
    case Release::early: return analysis::ReleasePolicy::offsets;
    case Release::completion: return analysis::ReleasePolicy::completion;
    case Release::segments: return analysis::ReleasePolicy::segments;
  }
  return analysis::ReleasePolicy::offsets;
}

bool has_offsets(const analysis::DagBound& dag) {
  return std::ranges::all_of(dag.nodes, [](const analysis::NodeBound& node) { return node.offset.has_value(); });
}

/// Whether the node waits for nobody of its own segment: it is released when the segment is.
bool begins_segment(const Dag& dag, const analysis::DagBound& bound, NodeId v) {
  return std::ranges::none_of(dag.predecessors(v), [&](NodeId p) { return bound.nodes[p].segment == bound.nodes[v].segment; });
}

/// One DAG's nodes at their offsets, or at those of their segments.
void set_offsets(const analysis::Analysis& analysis, Release release, DagId d, std::vector<simulate::NodeSchedule>& nodes) {
  const Dag& dag = analysis.task_set->dags()[d];
  for (NodeId v = 0; v < nodes.size(); ++v) {
    const analysis::NodeBound& bound = analysis.dags[d].nodes[v];
    const bool cpu = analysis.task_set->pools()[dag.nodes()[v].pool].kind() == PoolKind::cpu;
    simulate::NodeSchedule& node = nodes[v];
    node.reference = *bound.offset;
    if (cpu && bound.priority_point) node.priority_point = *bound.offset + *bound.priority_point;
    node.guarded = release == Release::early && !cpu;
    if (release == Release::offsets || (release == Release::segments && begins_segment(dag, analysis.dags[d], v)))
      node.offset = bound.offset;
  }
}

}  // namespace

std::string_view to_string(Release release) {
  switch (release) {
    case Release::offsets: return "offsets";
    case Release::early: return "early";
    case Release::completion: return "completion";
    case Release::segments: return "segments";
  }
  return "";
}

std::optional<Release> release_named(std::string_view name) {
  const auto at = std::ranges::find(releases, name, [](Release release) { return to_string(release); });
  return at == releases.end() ? std::nullopt : std::optional(*at);
}

void set_release(analysis::Options& options, Release release) {
  options.release = policy_of(release);
  // Bounds that count on earlier jobs having ended by their offset's bound (T1n, T6n) do not survive an early release.
  if (release == Release::early) options.refinement = analysis::gel::Refinement::early;
}

ReleasePlan release_plan(const analysis::Analysis& analysis, Release release) {
  if (analysis.release != policy_of(release)) throw std::invalid_argument("the analysis is of another release policy than the workload");
  const TaskSet& task_set = *analysis.task_set;
  ReleasePlan plan;
  plan.release = release;
  plan.schedule = simulate::on_completion(task_set, analysis::dag_priority_points(task_set));
  for (DagId d = 0; d < analysis.dags.size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    const analysis::DagBound& bound = analysis.dags[d];
    auto& nodes = plan.schedule.nodes[d];
    if (release == Release::completion) {
      // The points that the bound was proven with; without a bound, those at hand.
      for (NodeId v = 0; v < nodes.size(); ++v) {
        if (bound.nodes[v].priority_point) nodes[v].priority_point = bound.nodes[v].priority_point;
      }
    } else if (has_offsets(bound)) {
      set_offsets(analysis, release, d, nodes);
    } else {
      plan.warnings.push_back("DAG '" + dag.name() +
                              "' has no offsets, because some node of it has no bound; its nodes are released on completion");
    }
    // A DAG's source is released by the clock, whatever releases the other nodes.
    for (NodeId v = 0; v < nodes.size(); ++v) {
      if (dag.predecessors(v).empty() && !nodes[v].offset) nodes[v].offset = Time::zero();
    }
    plan.dag_bound.push_back(bound.R);
    auto& node_bounds = plan.node_bound.emplace_back();
    for (const analysis::NodeBound& node : bound.nodes) node_bounds.push_back(bound.R ? node.R : std::nullopt);
  }
  return plan;
}

}  // namespace rta::validation
