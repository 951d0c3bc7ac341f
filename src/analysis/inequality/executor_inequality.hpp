// T19, T19j and T20: along a path, with what is executed meanwhile on each pool.
#pragma once

#include "rta/analysis/evidence.hpp"
#include "rta/analysis/inequality.hpp"

namespace rta::analysis {

[[nodiscard]] Inequality executor_inequality(const ExecutorEvidence& evidence, DagId d, NodeId v);

}  // namespace rta::analysis
