// A DAG's nodes on one pool as few chains.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/path/chains/parallel.hpp"

namespace rta::analysis::path {

/// A partition of `nodes`, in increasing order, into the fewest chains, nodes each of which is before the next (Dilworth, by bipartite
/// matching): the chain of each of them.
[[nodiscard]] std::vector<std::uint32_t> chains_of(const ParallelPaths& paths, const std::vector<std::size_t>& nodes);

}  // namespace rta::analysis::path
