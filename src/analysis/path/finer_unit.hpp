// Ends in parts of a nanosecond: the theorems know no unit.
#pragma once

#include <cstdint>

#include "rta/analysis/path/segments.hpp"

namespace rta::analysis {

/// `bounds`, or those of the same system with all times in 1/q ns, q a common multiple of the capacities: where those of no node are above
/// and some are below by a microsecond or more. Whole ns cost more than a ns where an end that was rounded up passes a multiple of some
/// period by less than a microsecond, so that a job more counts (docs/theory/path.md, "What that costs"). It is tried where this may be so
/// and all times are multiples of a microsecond, in systems of up to 2,000 nodes. `limits.wanted` is not used.
[[nodiscard]] SegmentBounds in_finer_unit(const TaskSet& task_set, SegmentBounds bounds, const path::Limits& limits);

/// Bounds of a system with times in 1/unit ns, by what the refinement names. Unbounded as `path::node_bounds`.
[[nodiscard]] Result<SegmentBounds> segment_bounds_in_parts(const TaskSet& task_set, const Segmentation& segments, PathSystem system,
                                                            std::int64_t unit, path::Refinement refinement, const path::Limits& limits);

}  // namespace rta::analysis
