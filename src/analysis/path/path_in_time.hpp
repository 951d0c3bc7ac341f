// The test that Audsley's search of fixed priorities asks.
#pragma once

#include <cstddef>
#include <span>

#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

/// Whether T11, and what refines it (T11j, T10d), bounds DAG `dag` by its D when every other DAG d is taken to end in time: node u by D_d
/// less the longest path after it (docs/theory/fixed-priority.md, "Assignment"). On pools under fixed priorities the answer depends on
/// which DAGs are more urgent, not on their order. `D[d]`: end-to-end deadline of DAG d. Requires that no pool is overloaded; false past
/// `limits`.
[[nodiscard]] bool ends_in_time(const System& system, std::size_t dag, std::span<const Time> D, Refinement refinement,
                                const Limits& limits);

}  // namespace rta::analysis::path
