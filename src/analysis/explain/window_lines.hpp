// How a bound of T35 follows, in lines for people.
#pragma once

#include <string>
#include <vector>

#include "rta/analysis/proof.hpp"

namespace rta::analysis {

[[nodiscard]] std::vector<std::string> window_lines(const Proof& proof, const WindowEvidence& evidence, const Bound& bound, DagId d,
                                                    NodeId v);

}  // namespace rta::analysis
