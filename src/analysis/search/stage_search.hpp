// The choice of stages and of a priority point for each of them.
#pragma once

#include <cstddef>
#include <span>

#include "analysis/search/segment_search.hpp"
#include "rta/analysis/path/segments.hpp"

namespace rta::analysis {

/// A better choice than `start`, which has bounds, of segments and of priority points that count from the segments' releases; `start`
/// itself where none is found. Cuts DAGs into stages, which are ranges of the nodes' depths (the most nodes on a path to them), and moves a
/// stage's point, a boundary, or joins or splits stages, while the objective falls. Deterministic but for `limits.stop`; DAGs of equal
/// shape are cut alike. With a third of `search.evaluations` beyond them, whole DAGs are cut once last of all. By T10c above all: it pays
/// for a stage whose point is early with few jobs, and lets it pay for none of the late ones.
[[nodiscard]] SegmentBounds choose_stages(const TaskSet& task_set, const PlatformWeights& weights, std::span<const Time> Y,
                                          const SegmentSearch& search, SegmentBounds start);

/// The same with the segments that `start` has: moves their points alone.
[[nodiscard]] SegmentBounds choose_segment_points(const TaskSet& task_set, const PlatformWeights& weights, std::span<const Time> Y,
                                                  const SegmentSearch& search, SegmentBounds start);

}  // namespace rta::analysis
