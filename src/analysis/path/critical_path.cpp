#include "analysis/path/critical_path.hpp"

#include <algorithm>
#include <optional>

#include "rta/analysis/path/fitting.hpp"

namespace rta::analysis {

std::vector<NodeId> nodes_of_segment(const SegmentBounds& bounds, DagId d, std::size_t segment) {
  std::vector<NodeId> nodes;
  for (NodeId v = 0; v < bounds.segments[d].size(); ++v) {
    if (bounds.segments[d][v] == segment) nodes.push_back(v);
  }
  return nodes;
}

NodeId last_sink(const TaskSet& task_set, const SegmentBounds& bounds, DagId d) {
  const Dag& dag = task_set.dags()[d];
  std::optional<NodeId> last;
  for (NodeId v = 0; v < dag.nodes().size(); ++v) {
    if (dag.successors(v).empty() && (!last || bounds.F[d][v] > bounds.F[d][*last])) last = v;
  }
  return *last;
}

path::Derivations derivations_of(const SegmentBounds& bounds, const path::Bounds& R) {
  if (bounds.bounds.support.empty()) return {bounds.system.system, R};
  return {bounds.system.system, bounds.bounds};
}

CriticalPaths::CriticalPaths(const TaskSet& task_set, const SegmentBounds& bounds) : task_set_(task_set), bounds_(bounds), R_{bounds.R} {
  const path::System& system = bounds.system.system;
  if (!bounds.bounds.support.empty() && path::DecidingPaths::applies(system)) deciding_.emplace(system, bounds.bounds);
}

const path::Derivations& CriticalPaths::derivations() const {
  if (!derivations_) derivations_.emplace(derivations_of(bounds_, R_));
  return *derivations_;
}

std::vector<std::size_t> CriticalPaths::path_to(const PathSystem::Place& place) const {
  const auto& support = bounds_.bounds.support;
  if (support.empty()) return derivations().of(place.dag).path;
  const path::Support by = support[place.dag][place.node];
  if (by == path::Support::carried) return derivations().carried(place.dag, place.node)->path;
  if (by == path::Support::whole) return derivations().whole(place.dag, place.node)->path;
  if (by == path::Support::fitting) return derivations().fitting(place.dag, place.node)->path;
  if (by == path::Support::families) return derivations().family(place.dag, place.node)->path;
  if (by == path::Support::parallel) return derivations().parallel(place.dag, place.node)->path;
  if (by != path::Support::aligned && by != path::Support::overlapped) {
    return deciding_ ? deciding_->to(place.dag, place.node) : derivations().of(place.dag, place.node).path;
  }
  return derivations().aligned(place.dag, place.node, by == path::Support::overlapped).path;
}

std::vector<NodeId> CriticalPaths::of(DagId d) const {
  const Dag& dag = task_set_.dags()[d];
  std::vector<NodeId> path;
  NodeId v = last_sink(task_set_, bounds_, d);
  for (;;) {
    const auto& place = bounds_.system.place[d][v];
    const auto nodes = nodes_of_segment(bounds_, d, bounds_.segments[d][v]);
    const auto decisive = path_to(place);
    for (auto it = decisive.rbegin(); it != decisive.rend(); ++it) path.push_back(nodes[*it]);
    // On to the segment that decides this segment's offset.
    std::optional<NodeId> before;
    for (const Edge& edge : dag.edges()) {
      if (bounds_.segments[d][edge.to] != bounds_.segments[d][v] || bounds_.segments[d][edge.from] == bounds_.segments[d][v]) continue;
      if (!before || bounds_.F[d][edge.from] > bounds_.F[d][*before]) before = edge.from;
    }
    if (!before) break;
    v = *before;
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace rta::analysis
