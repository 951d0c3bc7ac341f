// The choice of fixed priorities for the DAGs on pools under FP.
#pragma once

#include <functional>
#include <memory>

#include "rta/analysis/options.hpp"
#include "rta/analysis/priority_assignment.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

struct AssignedSet {
  std::shared_ptr<const TaskSet> task_set;  // with the priorities
  PriorityAssignment assignment;
};

/// The best of the given priorities, deadline monotonic ones, Audsley's, and what moving DAGs between levels makes of the best of these,
/// by the proof that `prove` gives: more DAGs with bounds, then all deadlines and limits of chains met, then the smallest maximum
/// lateness. Where a pool is overloaded, the first two alone. Deterministic but for `options.stop`, which ends it with the best so far.
/// Requires a pool under FP in use.
[[nodiscard]] AssignedSet assign_priorities(const std::shared_ptr<const TaskSet>& task_set, const Options& options,
                                            const std::function<Proof(const std::shared_ptr<const TaskSet>&)>& prove);

}  // namespace rta::analysis
