// DAGs with a limit of jobs under way (`in_flight`), T38, and with history edges, T40: jobs that may wait for others of their DAG.
#pragma once

#include "rta/analysis/options.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// Whether there are any.
[[nodiscard]] bool jobs_may_wait(const TaskSet& task_set);

/// Throws `UserError` where the options ask for what is not there for such DAGs.
void refuse_options_for_limits(const TaskSet& task_set, const Options& options);

/// Of a proof of the set without its limits and history edges: whether by its bounds no job of any DAG ever waits for another.
[[nodiscard]] bool none_waits(const Proof& proof);

/// T38, T40: of a proof of the set without its limits and history edges what holds with them, (a). DAGs some of whose jobs may wait, and
/// what these may delay, have the bounds of (b) on completion, where it is for their pools and limits; else none.
void keep_beside_limits(Proof& proof, const Options& options);

}  // namespace rta::analysis
