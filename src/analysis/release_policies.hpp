// Release on completion and on segments, next to release at offsets.
#pragma once

#include <vector>

#include "rta/analysis/analyze.hpp"

namespace rta::analysis {

[[nodiscard]] Verdict verdict_of(const TaskSet& task_set, const std::vector<DagBound>& dags);

/// The analysis under the policy that `options` ask for. `at_offsets` is the analysis at offsets of the same task set, with the same
/// options. Throws as `analyze`.
[[nodiscard]] Analysis with_release_policy(Analysis at_offsets, const Options& options);

}  // namespace rta::analysis
