// T10's inequality and its refinements' with their numbers put in.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "rta/analysis/path/segments.hpp"

namespace rta::analysis {

/// The bound of node v of DAG `d` of the bounds, line by line; where the bounds are T10's, that of the DAG. `dags` are the task set's for
/// each DAG of the bounds; none: the same ones.
[[nodiscard]] std::vector<std::string> path_lines(const TaskSet& task_set, std::span<const DagId> dags, const SegmentBounds& bounds,
                                                  std::size_t d, NodeId v);

}  // namespace rta::analysis
