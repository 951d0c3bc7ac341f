#include "analysis/path/critical_path.hpp"

#include <algorithm>
#include <optional>

namespace rta::analysis {
namespace {

/// Whether the critical path is the one by which T10n's inequality is decided: where that carries the bound, or nothing of a path does.
bool follows_T10n(path::Support by) {
  using enum path::Support;
  return by == path || by == fixed || by == sliced || by == late || by == visit || by == given || by == successor;
}

}  // namespace

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

std::optional<NodeId> last_before(const SegmentBounds& bounds, const Dag& dag, DagId d, std::size_t segment) {
  std::optional<NodeId> before;
  for (const Edge& edge : dag.edges()) {
    if (bounds.segments[d][edge.to] != segment || bounds.segments[d][edge.from] == segment) continue;
    if (!before || bounds.F[d][edge.from] > bounds.F[d][*before]) before = edge.from;
  }
  return before;
}

path::Derivations derivations_of(const SegmentBounds& bounds) {
  if (bounds.bounds.support.empty()) return {bounds.system.system, path::Bounds{bounds.R}};
  return {bounds.system.system, bounds.bounds};
}

CriticalPaths::CriticalPaths(const TaskSet& task_set, const SegmentBounds& bounds) : task_set_(task_set), bounds_(bounds) {
  const path::System& system = bounds.system.system;
  if (!bounds.bounds.support.empty() && path::DecidingPaths::applies(system)) deciding_.emplace(system, bounds.bounds);
  if (!bounds.in_turn.empty()) in_turn_ = std::make_unique<CriticalPaths>(task_set, bounds.in_turn.front());
}

const path::Derivations& CriticalPaths::derivations() const {
  if (!derivations_) derivations_.emplace(derivations_of(bounds_));
  return *derivations_;
}

std::vector<std::size_t> CriticalPaths::path_to(const PathSystem::Place& place) const {
  const auto& support = bounds_.bounds.support;
  if (support.empty()) return derivations().of(place.dag).path;
  if (in_turn_ && support[place.dag][place.node] == path::Support::given) return in_turn_->path_to(place);
  if (!follows_T10n(support[place.dag][place.node])) return derivations().of(place.dag, place.node).path;
  return deciding_ ? deciding_->to(place.dag, place.node) : derivations().by(path::Support::path, place.dag, place.node)->path;
}

std::vector<NodeId> CriticalPaths::of(DagId d) const {
  std::vector<NodeId> path;
  std::optional<NodeId> v = last_sink(task_set_, bounds_, d);
  while (v) {
    const std::size_t segment = bounds_.segments[d][*v];
    const auto nodes = nodes_of_segment(bounds_, d, segment);
    const auto decisive = path_to(bounds_.system.place[d][*v]);
    for (auto it = decisive.rbegin(); it != decisive.rend(); ++it) path.push_back(nodes[*it]);
    v = last_before(bounds_, task_set_.dags()[d], d, segment);
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace rta::analysis
