// DAGs with a limit of jobs under way (`in_flight`): T38.
#pragma once

#include "rta/analysis/options.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// Throws `UserError` where the options ask for what is not there for DAGs with a limit.
void refuse_options_for_limits(const TaskSet& task_set, const Options& options);

/// Of a proof of the set without its limits: whether by its bounds no job of any DAG ever waits to be admitted.
[[nodiscard]] bool none_waits(const Proof& proof);

/// T38: of a proof of the set without its limits what holds with them, (a). DAGs some of whose jobs may wait, and what these may delay,
/// have the bounds of (b) on completion, where it is for their pools; else none.
void keep_beside_limits(Proof& proof, const Options& options);

}  // namespace rta::analysis
