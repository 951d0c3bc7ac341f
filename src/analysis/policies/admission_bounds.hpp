// T38 (b): DAGs that share FIFO pools, each with a limited number of jobs under way.
#pragma once

#include <memory>
#include <optional>

#include "rta/analysis/options.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// On completion. None where T38 is not for their pools and nodes, or a DAG without a limit has no bound by it.
[[nodiscard]] std::optional<Proof> prove_by_admission(std::shared_ptr<const TaskSet> task_set, const Options& options);

}  // namespace rta::analysis
