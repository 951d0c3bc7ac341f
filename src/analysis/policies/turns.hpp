// T27, T28, T29: the kernels of a GPU one after another, each of its duration alone, and the lesser of that and of their blocks.
#pragma once

#include <span>
#include <vector>

#include "analysis/policies/pool_bounds.hpp"
#include "analysis/policies/pool_nodes.hpp"
#include "rta/analysis/path/path_system.hpp"
#include "rta/analysis/path/segments.hpp"
#include "rta/model/kernel_time.hpp"
#include "rta/model/utilization.hpp"

namespace rta::analysis {

/// Whether a kernel's blocks do not count: it is known by its duration alone, or they start together. No weights are there for all then.
[[nodiscard]] bool some_without_blocks(std::span<const PoolNode> nodes);
/// Why. Requires that there is one.
[[nodiscard]] Reason why_without_blocks(const GpuPool& gpu, std::span<const PoolNode> nodes);
/// Whether T27 applies to the kernels of a GPU: one FIFO without slices, and each has a duration.
[[nodiscard]] bool has_turns(const Pool& pool, std::span<const PoolNode> nodes);
/// The same, or in time slices (T33): on completion and on segments.
[[nodiscard]] bool may_be_in_turn(const Pool& pool, std::span<const PoolNode> nodes);
/// For how much of the time they would have it to themselves, one after another: the sum of D/T. Requires `may_be_in_turn`.
[[nodiscard]] Utilization busy_alone(const GpuPool& gpu, std::span<const PoolNode> nodes, Durations by);

/// Which durations the options ask for.
[[nodiscard]] constexpr Durations durations(const Options& options) {
  return options.kernel_switches ? Durations::as_given : Durations::least;
}

/// T8 with one worker, the GPU's kernels as items of D. Requires `has_turns`.
[[nodiscard]] PoolResult bounds_in_turn(PoolId p, const GpuPool& gpu, std::span<const PoolNode> nodes, const Options& options);
/// Of two results for the same nodes each node's lesser bound, `first`'s where they are equal; the load and the reason are `first`'s.
[[nodiscard]] PoolResult lesser_of(std::span<const PoolNode> nodes, PoolResult first, PoolResult second);

/// Each node's lesser end, by the system that was bounded and by `other`, which reads the kernels of some GPUs otherwise, each solved again
/// with the ends of the other as long as some fall. What lowers nothing is left as it was.
[[nodiscard]] SegmentBounds least_by_both(const TaskSet& task_set, SegmentBounds bounds, PathSystem other, path::Refinement refinement,
                                          const path::Limits& limits);

}  // namespace rta::analysis
