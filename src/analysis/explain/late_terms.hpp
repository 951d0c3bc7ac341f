// T10j's and T10g's carry and work, term by term.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "rta/analysis/path/segments.hpp"
#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// Lines whose numbers are in units of the pool's work, before the division by its capacity.
struct LateTerms {
  std::vector<std::string> carry;
  std::vector<std::string> work;
};

/// Of a node on a FIFO pool, a GPU or a preemptive GEL pool that T10j or T10g carries. `dags`: of the task set, for each of the bounds;
/// none: the same ones. Throws `Overflow`.
[[nodiscard]] LateTerms late_terms(const TaskSet& task_set, std::span<const DagId> dags, const SegmentBounds& bounds,
                                   const PathSystem::Place& place);

}  // namespace rta::analysis
