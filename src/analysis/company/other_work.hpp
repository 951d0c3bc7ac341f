// Copies and CPU nodes as company of kernels (docs/theory/contention.md).
#pragma once

#include <vector>

#include "rta/analysis/company.hpp"

namespace rta::analysis {

/// Whether a block of kernel v of DAG d may run while node u of the DAG, a copy or on processors, does: as `can_meet`, but what follows a
/// callback of an executor may run before that has ended.
[[nodiscard]] bool can_run_beside(const TaskSet& task_set, const Lasting& lasting, DagId d, NodeId u, NodeId v);

/// The copies and CPU nodes beside which v of DAG d can run and which its GPU's `interference` counts, in order: of other DAGs all,
/// whatever their phases.
[[nodiscard]] std::vector<Met> other_work_beside(const TaskSet& task_set, const Lasting& lasting, DagId d, NodeId v);

}  // namespace rta::analysis
