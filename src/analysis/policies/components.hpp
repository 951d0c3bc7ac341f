// DAGs that share no pool cannot delay each other: an overloaded pool leaves those without it their bounds.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// The DAGs in groups that share no pool with each other, directly or through others.
[[nodiscard]] std::vector<std::vector<DagId>> components(const TaskSet& task_set);

/// The task set with these of its DAGs only.
[[nodiscard]] std::shared_ptr<const TaskSet> part_of(const TaskSet& whole, const std::vector<DagId>& dags);
/// Puts the proof of `dags` into that of the whole task set.
void take_over(Proof part, const std::vector<DagId>& dags, Proof& whole);
/// The same where pools have nodes of other DAGs, too: what is said of these pools stays.
void take_over_beside(Proof part, const std::vector<DagId>& dags, Proof& whole);

/// The proof of the whole task set or, where that leaves DAGs without a bound, those of its components put together. `prove` is a path
/// policy: its bounds stand or fall together.
[[nodiscard]] Proof prove_by_components(const std::shared_ptr<const TaskSet>& task_set,
                                        const std::function<Proof(std::shared_ptr<const TaskSet>)>& prove);

}  // namespace rta::analysis
