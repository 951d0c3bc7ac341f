// T21h: along the nodes that a thread plays, with what each waits for.
#pragma once

#include "rta/analysis/evidence.hpp"
#include "rta/analysis/inequality.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

[[nodiscard]] Inequality thread_inequality(const Proof& proof, const ThreadEvidence& evidence, const Bound& bound, DagId d);

/// How often the first `pieces` of a body queue on each pool.
[[nodiscard]] std::vector<Wide> visits(const ThreadEvidence& evidence, std::size_t body, std::size_t pieces);

}  // namespace rta::analysis
