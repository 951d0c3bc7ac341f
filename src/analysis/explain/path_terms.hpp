// T10n's counts of jobs with their numbers put in: n_u of every node u that a path may wait for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rta/analysis/path/segments.hpp"
#include "rta/analysis/path/sums.hpp"
#include "rta/analysis/task_names.hpp"

namespace rta::analysis {

/// The jobs that a path of the system's DAG `own` waits for on one of its pools: the formula of n_u, and n_u, F_u and the work per DAG,
/// equal DAGs together. `dags` are the task set's for each DAG of the bounds; none: the same ones. Not for pools under fixed priorities,
/// nor with release jitter.
[[nodiscard]] std::vector<std::string> path_terms(const TaskSet& task_set, std::span<const DagId> dags, const SegmentBounds& bounds,
                                                  std::size_t own, const path::Waiting& wait);

}  // namespace rta::analysis
