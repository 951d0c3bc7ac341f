// The weights of kernels under which path bounds count their work.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analysis/policies/pool_nodes.hpp"
#include "rta/analysis/gpu/fifo_bounds.hpp"
#include "rta/analysis/path/path_system.hpp"
#include "rta/analysis/proof.hpp"
#include "rta/analysis/result.hpp"
#include "rta/model/kernel_time.hpp"

namespace rta::analysis {

/// T6's bounds of each GPU's kernels at offsets, were all of one priority, with shared weights; nothing for pools without kernels.
using KernelBounds = std::vector<std::optional<Result<fifo::GpuBounds>>>;
[[nodiscard]] KernelBounds kernel_bounds(const TaskSet& task_set, const PoolNodes& nodes);

/// The GPUs to which T27 applies, and which the sum of D/T leaves some time.
[[nodiscard]] std::vector<PoolId> pools_in_turn(const TaskSet& task_set, const PoolNodes& nodes, Durations by);

/// The weights to try, each valid for every GPU pool (T6a's, T6b's with the least load); the first one is occupancy where that carries the
/// load. GPUs that no weights carry are `in_turn` where they are among these. None when there are others, or when kernels of several stream
/// priorities share a GPU with slices. `switches`: blocks that stand for switches are among the kernels'.
[[nodiscard]] Result<std::vector<PlatformWeights>, NoBound> kernel_weights(const TaskSet& task_set, const PoolNodes& nodes,
                                                                           const KernelBounds& bounds, std::span<const PoolId> in_turn,
                                                                           bool switches);

/// By weights alone, without switches.
[[nodiscard]] Result<std::vector<PlatformWeights>, NoBound> kernel_weights(const TaskSet& task_set);

/// The same with all of these GPUs in turn; none where they are already.
[[nodiscard]] std::optional<PlatformWeights> with_turns(const PlatformWeights& weights, std::span<const PoolId> in_turn);

}  // namespace rta::analysis
