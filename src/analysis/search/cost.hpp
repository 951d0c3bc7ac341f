// What decides between bounds of one task set: the one cost that policies, priority points and cuts compete by.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <span>

#include "rta/analysis/options.hpp"
#include "rta/analysis/path/segments.hpp"
#include "rta/analysis/proof.hpp"
#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// Smaller is better.
struct Cost {
  std::size_t unbounded = 0;  // DAGs without a bound
  Wide first = 0;             // what the objective minimises, over the others
  Wide second = 0;            // what it minimises next
  auto operator<=>(const Cost&) const = default;
};

/// `R[d]`: end-to-end bound of DAG d. A DAG without a deadline has its period for one.
[[nodiscard]] Cost cost_of(const TaskSet& task_set, std::span<const std::optional<Time>> R, Objective objective);
[[nodiscard]] Cost cost_of(const TaskSet& task_set, std::span<const Time> R, Objective objective);
[[nodiscard]] Cost cost_of(const Proof& proof, Objective objective);

/// For searches: whether bounds that are still rising are more than `cost` by so much that what was rounded up on the way does not matter.
[[nodiscard]] Surpassed far_above(const TaskSet& task_set, const Cost& cost, Objective objective);

/// Whether every DAG has a bound and meets its deadlines, and every chain its limits.
[[nodiscard]] bool meets_everything(const Proof& proof);

/// What a change of the objective is a part of: the sum of bounds, or the bound of the latest DAG (the largest where several are).
[[nodiscard]] Wide whole_of(const Proof& proof, Objective objective);

/// Whether `a` is to be preferred: more DAGs with bounds, then all deadlines and all limits of chains met, then the cost.
[[nodiscard]] bool better(const Proof& a, const Proof& b, Objective objective);

}  // namespace rta::analysis
