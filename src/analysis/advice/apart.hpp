// Changes that keep kernels apart which can meet, where durations were measured alone: each a guess until it is proven.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "rta/analysis/proof.hpp"
#include "rta/analysis/remedies.hpp"

namespace rta::analysis {

struct ApartCandidate {
  Change change;
  std::shared_ptr<const TaskSet> task_set;  // with it
};
/// The few by which durations may fall most: edges, phases, partitions, nodes and DAGs whose jobs follow one another. No analysis.
[[nodiscard]] std::vector<ApartCandidate> apart_candidates(const TaskSet& task_set, const Proof& proof);

/// Null: no proof, or no more of them are to be made.
using ProveChanged = std::function<std::optional<Proof>(std::shared_ptr<const TaskSet>)>;
/// For each kind of DAG of whose kernels those of two jobs can meet, a T at which they no longer do, the least that was found.
[[nodiscard]] std::vector<Remedy> parted_jobs(const TaskSet& task_set, const Proof& proof, const ProveChanged& prove);

/// The pairs that can meet by the one proof and never do by the other, which is of the same DAGs; what falls most first.
[[nodiscard]] std::vector<KeptApart> kept_apart(const Proof& before, const Proof& after);

}  // namespace rta::analysis
