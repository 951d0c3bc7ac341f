// The search for the DAGs' relative priority points under GEL by DAG.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "rta/analysis/path/segments.hpp"

namespace rta::analysis {

struct FoundPriorityPoints {
  std::vector<Time> Y;
  SegmentBounds bounds;
};

/// Y with a smaller maximum lateness (then sum of bounds) than at `start`; nothing when the search finds none. DAGs of equal shape share
/// their Y. Deterministic but for `stop`, which ends it with the best found so far. `bounds_at` gives the bounds for a choice of Y.
[[nodiscard]] std::optional<FoundPriorityPoints> search_priority_points(
    const TaskSet& task_set, std::span<const Time> start, const std::function<Result<SegmentBounds>(std::span<const Time>)>& bounds_at,
    const std::function<bool()>& stop, std::size_t evaluations = 2'000);

}  // namespace rta::analysis
