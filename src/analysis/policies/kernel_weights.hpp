// The weights of kernels under which path bounds count their work.
#pragma once

#include <optional>
#include <vector>

#include "analysis/policies/pool_nodes.hpp"
#include "rta/analysis/gpu/fifo_bounds.hpp"
#include "rta/analysis/path/path_system.hpp"
#include "rta/analysis/proof.hpp"
#include "rta/analysis/result.hpp"

namespace rta::analysis {

/// T6's bounds of each GPU's kernels at offsets, were all of one priority, with shared weights; nothing for pools without kernels.
using KernelBounds = std::vector<std::optional<Result<fifo::GpuBounds>>>;
[[nodiscard]] KernelBounds kernel_bounds(const TaskSet& task_set, const PoolNodes& nodes);

/// The weights to try, each valid for every GPU pool (T6a's, T6b's with the least load); the first one is occupancy where that carries the
/// load. None when no weights carry some GPU's load, or when kernels of several stream priorities share a GPU with slices.
[[nodiscard]] Result<std::vector<PlatformWeights>, NoBound> kernel_weights(const TaskSet& task_set, const PoolNodes& nodes,
                                                                           const KernelBounds& bounds);
[[nodiscard]] Result<std::vector<PlatformWeights>, NoBound> kernel_weights(const TaskSet& task_set);

}  // namespace rta::analysis
