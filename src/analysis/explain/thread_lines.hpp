// How a bound of T21h follows, in lines for people.
#pragma once

#include <string>
#include <vector>

#include "rta/analysis/evidence.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

[[nodiscard]] std::vector<std::string> thread_lines(const Proof& proof, const ThreadEvidence& evidence, const Bound& bound, DagId d);
/// T21b: why bounds on completion hold beside DAGs on threads. Empty where there are none.
[[nodiscard]] std::vector<std::string> enough_threads_lines(const Proof& proof, const PathEvidence& evidence);

}  // namespace rta::analysis
