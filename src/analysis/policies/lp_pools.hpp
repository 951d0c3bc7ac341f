// CPU pools under LP at offsets: T2 chooses their points, T1 and its refinements bound what it chose.
#pragma once

#include <string>
#include <vector>

#include "analysis/policies/pool_bounds.hpp"

namespace rta::analysis {

/// Whether T2 chooses the pool's points: it minimises T1's bounds, which need preemption.
[[nodiscard]] bool chosen_by_lp(const Pool& pool);

/// Sets points and bounds of all such pools. The LP only chooses, so its answer competes with the plain schedulers'. The results of all
/// other pools must be there. Adds to `warnings` where the LP could not be used.
void bound_lp_pools(const TaskSet& task_set, PoolNodes& nodes, std::vector<PoolResult>& results, const Options& options,
                    std::vector<std::string>& warnings);

}  // namespace rta::analysis
