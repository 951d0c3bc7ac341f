// T38: along the path to a node, with what each waits for.
#pragma once

#include "rta/analysis/evidence.hpp"
#include "rta/analysis/inequality.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

[[nodiscard]] Inequality admission_inequality(const AdmissionEvidence& evidence, const Bound& bound, DagId d, NodeId v);

}  // namespace rta::analysis
