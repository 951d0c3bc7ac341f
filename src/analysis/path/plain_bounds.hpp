// T10v's bounds, and what they say of T10g's.
#pragma once

#include <span>

#include "rta/analysis/path/path.hpp"
#include "rta/analysis/path/segments.hpp"

namespace rta::analysis {
namespace path {

struct PlainBounds {
  Result<NodeBounds> bounds;  // as `node_bounds` has them with `by`
  bool late_is_same = false;  // it has the same with T10g: every step from below is; else nothing is known
  Refinement by = Refinement::T10v;
};
/// T10v's; T10g's at once where these are less, on pools under fixed priorities alone and where `goes_on`.
[[nodiscard]] PlainBounds plain_bounds(const System& system, bool goes_on, const Limits& limits);

}  // namespace path

struct PlainSegmentBounds {
  Result<SegmentBounds> bounds;
  bool late_is_same = false;
};
/// As `segment_bounds` has them with T10v, or with T10g as `plain_bounds` says.
[[nodiscard]] PlainSegmentBounds plain_segment_bounds(const TaskSet& task_set, const Segmentation& segments, const PlatformWeights& weights,
                                                      std::span<const Time> Y, bool goes_on, const path::Limits& limits);

}  // namespace rta::analysis
