// What a simulation of a set shows, next to its bounds.
#pragma once

#include <vector>

#include "rta/analysis/proof.hpp"

namespace rta::sweep {

/// The largest end-to-end response of each DAG when all are first released at once, run as the analysis assumes (its release policy and
/// priority points) and always need their worst case, over `duration`. Requires bounds for every DAG and release at offsets or on
/// completion. Throws `Defect` when a response is above its bound.
[[nodiscard]] std::vector<Time> observe(const analysis::Proof& proof, Time duration);

}  // namespace rta::sweep
