// The greedy choice of cuts.
#pragma once

#include <cstddef>
#include <span>

#include "rta/analysis/left_out.hpp"
#include "rta/analysis/options.hpp"
#include "rta/analysis/path/segments.hpp"

namespace rta::analysis {

struct SegmentSearch {
  Objective objective = Objective::sum;
  std::size_t evaluations = 300;  // at most so many segmentations are tried; see `affordable_evaluations`
  std::size_t threads = 1;        // so many at once
  path::Limits limits;            // of each of them; `stop` also ends the search with the best found so far
};

/// What is left out where so many trials end a search.
[[nodiscard]] inline LeftOut search_ended(std::size_t trials) {
  return {.what = LeftOut::What::search, .theorems = {}, .limit = LeftOut::Limit::trials, .most = trials, .where = {}};
}

/// Of the DAGs, those of equal shape once.
[[nodiscard]] std::size_t different_nodes(const TaskSet& task_set);
/// With more of them nothing is searched for.
inline constexpr std::size_t most_nodes_of_searches = 4'472;
/// How many segmentations may be tried in some seconds: 300 for a few hundred different nodes, 0 for many thousands.
[[nodiscard]] std::size_t affordable_evaluations(const TaskSet& task_set);

/// By T10g: the best of whole DAGs, cuts before every pool change and a segment per node, then improved greedily: merges stages, segments
/// and moves nodes between segments while the objective falls. Deterministic; DAGs of equal shape are cut alike.
[[nodiscard]] Result<SegmentBounds> choose_segments(const TaskSet& task_set, const PlatformWeights& weights, std::span<const Time> Y,
                                                    const SegmentSearch& search = {});

}  // namespace rta::analysis
