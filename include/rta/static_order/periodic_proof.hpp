// What a static order over the hyperperiod guarantees, in the terms of every other release policy.
#pragma once

#include <memory>

#include "rta/analysis/analyze.hpp"
#include "rta/model/task_set.hpp"
#include "rta/static_order/compile.hpp"

namespace rta::static_order {

/// With the order that the bounds are of.
struct PeriodicProof {
  analysis::Analysis analysis;
  ScheduledHyperepoch order;
};

/// A task set whose DAGs are released exactly every T, all from instant 0 on, under the order that `compile` finds. R of a node and of a
/// DAG is its latest end in any frame, from that frame's release (T15, T15w, T15g); an order that ends after the hyperperiod proves
/// nothing. `proof.release` is `fixed_order`. Throws `UserError` for a set that has no static orders, and `Overflow`.
[[nodiscard]] PeriodicProof prove_periodic(const std::shared_ptr<const TaskSet>& task_set, const CompileOptions& options);

/// Beside the policies for sporadic releases: what the first orders of a list scheduler would give, or why there are none. It takes about
/// 0.3 s for 1,000 jobs and a second for 2,000, and is not tried for more. Kernel switches are not counted: T15w lets kernels start at
/// once.
[[nodiscard]] analysis::PolicyOutcome first_order_outcome(const std::shared_ptr<const TaskSet>& task_set);

}  // namespace rta::static_order
