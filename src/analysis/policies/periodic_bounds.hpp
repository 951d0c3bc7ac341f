// T35 and T36 over what a policy has proven of a set whose DAGs are all periodic.
#pragma once

#include <optional>
#include <string>

#include "rta/analysis/options.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

[[nodiscard]] bool all_periodic(const TaskSet& task_set);

/// That some DAGs are periodic, but not all, so that nothing counts on it; a warning.
[[nodiscard]] std::optional<std::string> unused_clock(const TaskSet& task_set);

/// On completion, where all are periodic: per node and DAG the least of what is proven, T35 and, if asked, T36.
void add_periodic_bounds(Proof& proof, const Options& options, bool reach);

}  // namespace rta::analysis
