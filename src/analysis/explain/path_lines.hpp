// T10's inequality and its refinements' with their numbers put in.
#pragma once

#include <string>
#include <vector>

#include "rta/analysis/path/segments.hpp"

namespace rta::analysis {

/// The bound of one node of the task set, line by line; where the bounds are T10's, that of its DAG.
[[nodiscard]] std::vector<std::string> path_lines(const TaskSet& task_set, const SegmentBounds& bounds, DagId d, NodeId v);

}  // namespace rta::analysis
