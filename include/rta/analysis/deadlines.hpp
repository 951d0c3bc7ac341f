// Which deadlines a proof meets: of DAGs, end to end, and of nodes that have one of their own.
#pragma once

#include "rta/analysis/proof.hpp"
#include "rta/model/deadline.hpp"

namespace rta::analysis {

/// Whether node v ends within its own D under this proof: both R and D count from its reference. True without a D of its own, false
/// without a bound. On completion and in segments the reference is not later than the node's own release, so that what is met from there
/// is met from its release, too.
[[nodiscard]] bool meets_own_deadline(const Proof& proof, DagId d, NodeId v);

/// Whether DAG d meets its end-to-end deadline and its nodes meet theirs.
[[nodiscard]] bool meets_deadlines(const Proof& proof, DagId d);

/// End-to-end deadlines and those of nodes; what has no bound meets none.
struct DeadlineCount {
  std::size_t met = 0;
  std::size_t given = 0;
};
[[nodiscard]] DeadlineCount end_to_end_deadlines(const Proof& proof);
[[nodiscard]] DeadlineCount own_deadlines(const Proof& proof);

}  // namespace rta::analysis
