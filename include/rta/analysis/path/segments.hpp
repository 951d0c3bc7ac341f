// Release on segments (theory section 5): each DAG is split into segments whose quotient is acyclic; a segment's nodes are released on
// completion, its sources at a fixed offset from the DAG's release. One segment is T10n; a segment per node is release with offsets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "rta/analysis/left_out.hpp"
#include "rta/analysis/path/path.hpp"
#include "rta/analysis/path/path_system.hpp"
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
  PathSystem system;                                     // what was analysed; its times are in 1/unit ns
  path::NodeBounds bounds;                               // of the segments, in 1/unit ns; F counts from the segment's release
  std::int64_t unit = 1;                                 // parts of a ns
  std::vector<std::vector<Time>> offset;                 // Phi: DAG, segment
  PerNode<Time> F;                                       // end of each node after its DAG's release
  std::vector<Time> R;                                   // end to end
  path::Refinement refinement = path::Refinement::T10n;  // that was tried
  std::vector<LeftOut> left_out = {};
  /// At most one: the same ends by the system with GPUs in turn (T28). What it carries is `given` here, and the other way round.
  std::vector<SegmentBounds> in_turn = {};
};

/// T10n or T10j on every segment as a DAG of its own, and the least offsets with Phi_s >= Phi_s' + F_u for every edge from u in s' into s.
/// With release jitter, the better of that for releases T - J apart and T12's. Unbounded as `path::node_bounds`, but no reason takes T - J
/// for T. Requires that no segments wait for each other.
[[nodiscard]] Result<SegmentBounds> segment_bounds(const TaskSet& task_set, const Segmentation& segments, const PlatformWeights& weights,
                                                   std::span<const Time> Y, path::Refinement refinement, const path::Limits& limits = {});

/// Asked once per round with end-to-end bounds so far, of which those to come are no less but for what is rounded up on the way: true ends
/// the search without any.
using Surpassed = std::function<bool(std::span<const Time> R)>;

/// The same for a system at hand, which must be of these segments. With release jitter `surpassed` is not asked.
[[nodiscard]] Result<SegmentBounds> segment_bounds(const TaskSet& task_set, const Segmentation& segments, PathSystem system,
                                                   path::Refinement refinement, const path::Limits& limits = {},
                                                   const Surpassed& surpassed = {});

}  // namespace rta::analysis
