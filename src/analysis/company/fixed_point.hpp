// C1: bounds and the durations that rest on them, found together.
#pragma once

#include <functional>
#include <memory>

#include "rta/analysis/proof.hpp"

namespace rta::analysis {

using ProveSet = std::function<Proof(const std::shared_ptr<const TaskSet>&)>;

/// The proof of `alone` with company: `prove` is asked with the durations L(S) of a set S of pairs until S is what the windows of its own
/// bounds leave. On completion S grows from what the DAGs leave at once; else it shrinks from all pairs, and every proof is one.
[[nodiscard]] Proof prove_in_company(const std::shared_ptr<const TaskSet>& alone, Release release, const ProveSet& prove);

}  // namespace rta::analysis
