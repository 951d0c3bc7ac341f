// Release on completion of DAGs that share pools with executors: T19, T19j.
#pragma once

#include <memory>
#include <string>

#include "rta/analysis/options.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// Throws `UserError` where the options ask for what is not there for executors, `executor` among them.
void refuse_options_for_executors(const std::string& executor, const Options& options);

/// Likewise of executors in whose order nodes have bounds as on other pools: what would change the order. Throws `UserError`.
void refuse_other_orders(const TaskSet& task_set, const Options& options);

/// T19 and T19j. Some node is on an executor. Of DAGs that fall into several parts nothing is proven: each is to be
/// asked by itself.
[[nodiscard]] Proof prove_with_executors(std::shared_ptr<const TaskSet> task_set, const Options& options);

}  // namespace rta::analysis
