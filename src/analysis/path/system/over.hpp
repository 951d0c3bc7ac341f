// The path behind a set of pools that decides a right-hand side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// A path to v, source first, of this length and just these pools; of fewer pools where the set stands for several, whose longest path it
/// tells. `c` has the pool sets of paths to which node u adds length[u].
[[nodiscard]] std::vector<std::size_t> path_over(const Class& c, std::size_t v, std::span<const Tick> length, PoolSet over);

}  // namespace rta::analysis::path
