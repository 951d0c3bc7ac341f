// T36: the latest ends along the jobs that make one another ready, from a nominal release on.
#pragma once

#include "rta/analysis/inequality.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// Of the job of node v of DAG d that ends last.
[[nodiscard]] Inequality reach_inequality(const ReachEvidence& evidence, const Bound& bound, DagId d, NodeId v);

}  // namespace rta::analysis
