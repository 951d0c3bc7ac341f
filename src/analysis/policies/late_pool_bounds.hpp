// The bounds of one pool at offsets where releases may be late.
#pragma once

#include <span>

#include "analysis/policies/pool_bounds.hpp"

namespace rta::analysis {

/// `pool_bounds` with T - J as the period, and with nominal periods and J beside it (docs/theory/jitter.md, "At offsets"): each node has
/// the lesser bound. Nodes must be released at their offsets, no sooner: with nodes that are released early it is `pool_bounds`.
[[nodiscard]] PoolResult late_pool_bounds(const TaskSet& task_set, PoolId p, std::span<const PoolNode> nodes, const Options& options);

}  // namespace rta::analysis
