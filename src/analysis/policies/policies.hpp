// The release policies, peers of each other: a task set in, what can be proven for that way of releasing its nodes out.
#pragma once

#include <memory>

#include "rta/analysis/options.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

// Each takes the task set with its CPU pools as they are to be analysed. A DAG without a bound is a result, not an error. Each throws
// `Overflow` when a number leaves the exact range.

/// T1 to T8 per pool, then offsets and end-to-end bounds. Where `options.release` is `early`, only what also holds when nodes are released
/// before their offsets.
[[nodiscard]] Proof prove_at_offsets(std::shared_ptr<const TaskSet> task_set, const Options& options);

/// T10n or a refinement on whole DAGs. `at_offsets`, if at hand, is where a search for points per node starts.
[[nodiscard]] Proof prove_on_completion(std::shared_ptr<const TaskSet> task_set, const Options& options, const Proof* at_offsets = nullptr);

/// The same on segments, cut as the task set says or where a search finds it best.
[[nodiscard]] Proof prove_on_segments(std::shared_ptr<const TaskSet> task_set, const Options& options);

/// Coarse-grained and monolithic variants (`options.granularity`). Throws `UserError` for a group that cannot be one task.
[[nodiscard]] Proof prove_grouped(std::shared_ptr<const TaskSet> task_set, const Options& options);

}  // namespace rta::analysis
