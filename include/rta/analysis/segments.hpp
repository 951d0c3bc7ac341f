// Release on segments (theory section 5): each DAG is split into segments whose quotient is acyclic; a segment's nodes are released on
// completion, its sources at a fixed offset from the DAG's release. One segment is T10n; a segment per node is release with offsets.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "rta/analysis/path.hpp"
#include "rta/analysis/path_system.hpp"
#include "rta/analysis/result.hpp"
#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// Segments as the file asks for: nodes that an edge without `cut` joins are in one segment, and so are nodes whose segments would wait for
/// each other. Nothing when no edge of the task set is cut.
[[nodiscard]] std::optional<Segmentation> segments_of_cuts(const TaskSet& task_set);
/// The same, with a cut on every edge between two pools.
[[nodiscard]] Segmentation segments_by_pool(const TaskSet& task_set);
[[nodiscard]] Segmentation segment_per_node(const TaskSet& task_set);

struct SegmentBounds {
  Segmentation segments;
  PathSystem system;                      // what was analysed
  path::NodeBounds bounds;                // of the segments; F counts from the segment's release
  std::vector<std::vector<Time>> offset;  // Phi: DAG, segment
  PerNode<Time> F;                        // end of each node after its DAG's release
  std::vector<Time> R;                    // end to end
};

/// T10n or T10j on every segment as a DAG of its own, and the least offsets with Phi_s >= Phi_s' + F_u for every edge from u in s' into s.
/// Unbounded as `path::node_bounds`. Throws std::invalid_argument when segments wait for each other.
[[nodiscard]] Result<SegmentBounds> segment_bounds(const TaskSet& task_set, const Segmentation& segments, const PlatformWeights& weights,
                                                   std::span<const Time> Y, path::Refinement refinement, const path::Limits& limits = {});

/// The same for a system at hand, which must be of these segments.
[[nodiscard]] Result<SegmentBounds> segment_bounds(const TaskSet& task_set, const Segmentation& segments, PathSystem system,
                                                   path::Refinement refinement, const path::Limits& limits = {});

struct SegmentSearch {
  Objective objective = Objective::sum;
  std::size_t evaluations = 300;  // at most so many segmentations are tried; see `affordable_evaluations`
  path::Limits limits;            // of each of them; `stop` also ends the search with the best found so far
};

/// How many segmentations may be tried in some seconds: 300 for a few hundred different nodes, 0 for many thousands.
[[nodiscard]] std::size_t affordable_evaluations(const TaskSet& task_set);

/// By T10g: the best of whole DAGs, cuts before every pool change and a segment per node, then improved greedily: merges stages, segments
/// and moves nodes between segments while the objective falls. Deterministic; DAGs of equal shape are cut alike.
[[nodiscard]] Result<SegmentBounds> choose_segments(const TaskSet& task_set, const PlatformWeights& weights, std::span<const Time> Y,
                                                    const SegmentSearch& search = {});

}  // namespace rta::analysis
