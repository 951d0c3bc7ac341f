// Release on completion of DAGs that are played by threads: T21h, T21b, T41.
#pragma once

#include <memory>

#include "rta/analysis/options.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// Throws `UserError` where the options ask for what is not there for DAGs on threads.
void refuse_options_for_threads(const TaskSet& task_set, const Options& options);

/// T21h or T21b, T41 where some spin. Some DAG is on threads; without a bound where others share their pools or are served otherwise than
/// T21h assumes.
[[nodiscard]] Proof prove_on_threads(std::shared_ptr<const TaskSet> task_set, const Options& options);

}  // namespace rta::analysis
