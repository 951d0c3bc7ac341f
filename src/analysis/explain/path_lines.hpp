// T10's inequality and its refinements' with their numbers put in.
#pragma once

#include <string>
#include <vector>

#include "rta/analysis/path/segments.hpp"

namespace rta::analysis {

/// The bound of one node of a DAG, which is DAG `d` of the bounds, line by line; where the bounds are T10's, that of the DAG.
[[nodiscard]] std::vector<std::string> path_lines(const Dag& dag, const SegmentBounds& bounds, std::size_t d, NodeId v);

}  // namespace rta::analysis
