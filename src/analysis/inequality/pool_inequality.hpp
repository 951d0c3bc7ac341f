// Bounds of one node on one pool: a term per term of the theorem's formula.
#pragma once

#include "rta/analysis/inequality.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// Of a bound that rests on one pool.
[[nodiscard]] Inequality pool_inequality(const Proof& proof, const Bound& bound, NodeId v);

}  // namespace rta::analysis
