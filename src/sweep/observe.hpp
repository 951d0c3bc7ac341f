// What a simulation of a set shows, next to its bounds.
#pragma once

#include <cstdint>
#include <vector>

#include "rta/analysis/proof.hpp"

namespace rta::sweep {

/// The largest end-to-end response of each DAG, run as the analysis assumes (its release policy and priority points), over `duration`: when
/// all are first released at once and always need their worst case; with `search_runs` also the largest that so many simulations of a
/// search find. Zero for a DAG that does not end within it. Requires bounds for every DAG and a release that is not grouped. Throws
/// `Defect` when a response is above its bound.
[[nodiscard]] std::vector<Time> observe(const analysis::Proof& proof, Time duration, std::uint64_t search_runs);

}  // namespace rta::sweep
