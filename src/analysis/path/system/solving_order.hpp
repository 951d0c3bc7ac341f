// In which order classes are solved: those first whose ends others read.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// Classes that read one another's ends, directly or not, together, in increasing order; each reads ends of its own turn and of earlier
/// ones alone. A class reads those that share a pool with it, on preemptive pools under fixed priorities those alone that have a node there
/// as urgent as its least urgent one.
[[nodiscard]] std::vector<std::vector<std::size_t>> solving_order(const Ticks& ticks);

}  // namespace rta::analysis::path
