// T19 and T19j with their numbers put in.
#pragma once

#include <string>
#include <vector>

#include "rta/analysis/evidence.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

[[nodiscard]] std::vector<std::string> executor_lines(const Proof& proof, const ExecutorEvidence& evidence, const Bound& bound, DagId d,
                                                      NodeId v);

}  // namespace rta::analysis
