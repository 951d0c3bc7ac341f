// From the bounds of single pools to a proof at offsets.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "analysis/policies/pool_bounds.hpp"

namespace rta::analysis {

/// A pool under fixed priorities that these DAGs use, if any.
[[nodiscard]] std::optional<PoolId> pool_under_fp(const TaskSet& task_set, const std::vector<DagId>& dags);

/// Takes the bounds of pool `p` back, and leaves its load.
void withdraw(PoolResult& result, PoolId p, Reason reason);

/// End-to-end bounds from those of all nodes; where some node has none, the DAG has none.
[[nodiscard]] std::vector<DagProof> dags_at_offsets(const TaskSet& task_set, const PoolNodes& nodes,
                                                    const std::vector<PoolResult>& results);

/// `results[p]` are the bounds of `nodes[p]`; those beside fixed priorities are taken back. The release is left to the caller.
[[nodiscard]] Proof proof_at_offsets(std::shared_ptr<const TaskSet> task_set, const PoolNodes& nodes, std::vector<PoolResult> results);

}  // namespace rta::analysis
