// T10j, T10g, T11j and T14j on one node with their numbers.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rta/analysis/inequality.hpp"
#include "rta/analysis/path/segments.hpp"
#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// Of a node that one of them carries, at `place`. `dags`: of the task set, for each of the bounds; none: the same ones.
[[nodiscard]] std::vector<std::string> late_lines(const TaskSet& task_set, std::span<const DagId> dags, const SegmentBounds& bounds,
                                                  const PathSystem::Place& place, const Inequality& of, const path::SporadicSum& late,
                                                  Time bound);

}  // namespace rta::analysis
