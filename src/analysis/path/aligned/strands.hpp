// T10v: which nodes of a DAG lead to its FIFO pool independently of each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/path/aligned/aligned.hpp"

namespace rta::analysis::path {

[[nodiscard]] std::vector<std::uint32_t> nodes_on(const Class& c, std::size_t local);

/// The root and the strands of a class on its local pool `queue`: without the root, which all nodes on the pool come after, these nodes and
/// those before them fall into parts that no edge joins. `whole` as for EndsOnPool.
[[nodiscard]] Strands strands_of(const Ticks& ticks, const Class& c, std::size_t queue, bool whole);

}  // namespace rta::analysis::path
