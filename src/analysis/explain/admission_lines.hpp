// How a bound of T38 follows, and why a limit of jobs under way never delays, in lines for people.
#pragma once

#include <string>
#include <vector>

#include "rta/analysis/evidence.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

[[nodiscard]] std::vector<std::string> admission_lines(const Proof& proof, const AdmissionEvidence& evidence, const Bound& bound, DagId d,
                                                       NodeId v);

/// T38 (a): why bounds of DAGs without limits hold. Empty where no DAG with a bound has one.
[[nodiscard]] std::vector<std::string> never_waits_lines(const Proof& proof);

/// T40: why bounds of DAGs without history edges hold, an edge in each. Empty where no DAG with a bound has one.
[[nodiscard]] std::vector<std::string> never_delays_lines(const Proof& proof);

}  // namespace rta::analysis
