// The search for relative priority points per node (release on completion, GEL by node).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "rta/analysis/options.hpp"
#include "rta/analysis/path/segments.hpp"

namespace rta::analysis {

struct FoundNodePoints {
  PerNode<Time> Y;  // nodes on other pools: 0
  SegmentBounds bounds;
};

struct NodePointSearch {
  std::vector<PoolId> pools;  // those ordered by node
  std::vector<Time> of_dag;   // one point per DAG
  std::function<Result<SegmentBounds>(const PerNode<Time>& Y)> bounds_at;
  Objective objective = Objective::sum;
  std::function<bool()> stop;     // ends the search with the best found so far; may be empty
  std::size_t evaluations = 150;  // at most so many choices of Y are tried
  bool single_nodes = false;      // after whole levels of a DAG, also move one node at a time
};

/// Starts from multiples of `start` (points that analysis at offsets chose, say) or, where these have no bound, from points that grow with
/// the longest path up to a node; and again from one point per DAG. From each, moves the nodes of one level of equal DAGs at a time by a
/// step that halves, as long as the cost falls. Nothing when no choice has a bound. Deterministic but for `stop`.
[[nodiscard]] std::optional<FoundNodePoints> choose_node_points(const TaskSet& task_set, const PerNode<std::optional<Time>>& start,
                                                                const NodePointSearch& search);

}  // namespace rta::analysis
