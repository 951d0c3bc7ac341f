#include "rta/analysis/path/segments.hpp"

#include <algorithm>
#include <numeric>

#include "analysis/path/plain_bounds.hpp"
#include "analysis/path/segment_quotient.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

template <class IsCut>
Segmentation joined_by_uncut_edges(const TaskSet& task_set, const IsCut& is_cut) {
  Segmentation segments;
  for (const Dag& dag : task_set.dags()) {
    std::vector<std::size_t> root(dag.nodes().size());
    std::iota(root.begin(), root.end(), std::size_t{0});
    const auto find = [&](std::size_t v) {
      while (root[v] != v) v = root[v] = root[root[v]];
      return v;
    };
    for (const Edge& edge : dag.edges()) {
      if (!is_cut(dag, edge)) root[find(edge.from)] = find(edge.to);
    }
    std::vector<std::size_t> of(root.size());
    for (std::size_t v = 0; v < of.size(); ++v) of[v] = find(v);
    segments.push_back(merge_cycles(dag, of));
  }
  return segments;
}

}  // namespace

std::optional<Segmentation> segments_of_cuts(const TaskSet& task_set) {
  const bool any = std::ranges::any_of(task_set.dags(), [](const Dag& dag) { return std::ranges::any_of(dag.edges(), &Edge::cut); });
  if (!any) return std::nullopt;
  return joined_by_uncut_edges(task_set, [](const Dag&, const Edge& edge) { return edge.cut; });
}

Segmentation segments_by_pool(const TaskSet& task_set) {
  return joined_by_uncut_edges(task_set,
                               [](const Dag& dag, const Edge& edge) { return dag.nodes()[edge.from].pool != dag.nodes()[edge.to].pool; });
}

Segmentation segment_per_node(const TaskSet& task_set) {
  Segmentation segments;
  for (const Dag& dag : task_set.dags()) {
    segments.emplace_back(dag.nodes().size());
    std::iota(segments.back().begin(), segments.back().end(), std::size_t{0});
  }
  return segments;
}

Result<SegmentBounds> segment_bounds(const TaskSet& task_set, const Segmentation& segments, const PlatformWeights& weights,
                                     std::span<const Time> Y, path::Refinement refinement, const path::Limits& limits) {
  return segment_bounds(task_set, segments, path_system(task_set, segments, weights, Y), refinement, limits);
}

namespace {

/// How far the ends are from their periods, for what says more of the DAGs.
double sum_of_loads(const TaskSet& task_set, const SegmentBounds& bounds) {
  double sum = 0;
  for (DagId d = 0; d < bounds.R.size(); ++d) {
    sum += static_cast<double>(bounds.R[d].count()) / static_cast<double>(task_set.dags()[d].nominal_period().count());
  }
  return sum;
}

/// `solve`: the bounds of a system.
template <class Solve>
Result<SegmentBounds> bounds_of(const TaskSet& task_set, const Segmentation& segments, PathSystem system, path::Refinement refinement,
                                Solve solve) {
  SegmentBounds result;
  result.segments = segments;
  result.system = std::move(system);
  result.refinement = refinement;
  Result<path::NodeBounds> bounds = solve(result.system.system);
  if (!bounds) return bounds.reason();
  result.bounds = std::move(*bounds);

  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    const auto& of = segments[d];
    const auto end_of = [&](NodeId v) {
      const auto& place = result.system.place[d][v];
      return result.bounds.F[place.dag][place.node];
    };
    const Quotient quotient(dag, of);
    require(quotient.acyclic(), "no segments of a DAG wait for each other");
    auto& offset = result.offset.emplace_back(quotient.size());
    for (const std::size_t s : quotient.order()) {
      for (const Edge& edge : quotient.edges_out_of(s)) offset[of[edge.to]] = std::max(offset[of[edge.to]], offset[s] + end_of(edge.from));
    }
    auto& F = result.F.emplace_back();
    Time R;
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      F.push_back(offset[of[v]] + end_of(v));
      // A node that ends a DAG's path: the others end before their successors are released or end.
      if (dag.successors(v).empty()) R = std::max(R, F.back());
    }
    result.R.push_back(R);
  }
  return result;
}

}  // namespace

Result<SegmentBounds> segment_bounds(const TaskSet& task_set, const Segmentation& segments, PathSystem system, path::Refinement refinement,
                                     const path::Limits& limits) {
  const auto solve_by = [&](path::Refinement by) {
    return [&limits, by](const path::System& of) { return path::node_bounds(of, by, limits); };
  };
  auto late = with_release_jitter(system, task_set);
  auto sporadic = bounds_of(task_set, segments, std::move(system), refinement, solve_by(refinement));
  if (!late) return sporadic;
  auto counted = bounds_of(task_set, segments, std::move(*late), refinement, solve_by(refinement));
  if (!counted) return sporadic;
  return sporadic && sum_of_loads(task_set, *sporadic) <= sum_of_loads(task_set, *counted) ? sporadic : counted;
}

PlainSegmentBounds plain_segment_bounds(const TaskSet& task_set, const Segmentation& segments, const PlatformWeights& weights,
                                        std::span<const Time> Y, const path::Limits& limits) {
  PathSystem system = path_system(task_set, segments, weights, Y);
  if (with_release_jitter(system, task_set)) {
    return {segment_bounds(task_set, segments, std::move(system), path::Refinement::T10v, limits), false};
  }
  bool late_is_same = false;
  auto bounds = bounds_of(task_set, segments, std::move(system), path::Refinement::T10v, [&](const path::System& of) {
    path::PlainBounds plain = path::plain_bounds(of, limits);
    late_is_same = plain.late_is_same;
    return std::move(plain.bounds);
  });
  return {std::move(bounds), late_is_same};
}

}  // namespace rta::analysis
