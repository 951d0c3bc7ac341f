// How a bound of T36 follows, in lines for people.
#pragma once

#include <string>
#include <vector>

#include "rta/analysis/proof.hpp"

namespace rta::analysis {

[[nodiscard]] std::vector<std::string> reach_lines(const Proof& proof, const ReachEvidence& evidence, const Bound& bound, DagId d,
                                                   NodeId v);

}  // namespace rta::analysis
