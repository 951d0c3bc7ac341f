#include "analysis/search/stage_trial.hpp"

#include <utility>

namespace rta::analysis {

StageTrial::StageTrial(const TaskSet& task_set, const PlatformWeights& weights, std::span<const Time> Y, const SegmentSearch& search,
                       SegmentBounds start)
    : task_set_(task_set),
      weights_(weights),
      Y_(Y),
      search_(search),
      limits_(search.limits),
      best_(std::move(start)),
      cost_(cost_of(task_set, best_.R, search.objective)) {
  shorten();
}

std::optional<SegmentBounds> StageTrial::bounds_at(const Segmentation& segments, const PerNode<Time>& points,
                                                   const std::optional<Cost>& than) const {
  PathSystem system = path_system(task_set_, segments, weights_, Y_);
  for (std::size_t i = 0; i < system.system.dags.size(); ++i) system.system.dags[i].Y = points[system.dag_of[i]][system.segment_of[i]];
  auto bounds = segment_bounds(task_set_, segments, std::move(system), path::Refinement::T10g, limits_,
                               than ? far_above(task_set_, *than, search_.objective) : Surpassed());
  if (!bounds) return std::nullopt;
  return std::move(*bounds);
}

std::optional<Cost> StageTrial::offer(std::optional<SegmentBounds> bounds) {
  ++tried_;
  if (!bounds) return std::nullopt;
  const Cost cost = cost_of(task_set_, bounds->R, search_.objective);
  if (cost < cost_) {
    best_ = std::move(*bounds);
    cost_ = cost;
    shorten();
  }
  return cost;
}

void StageTrial::shorten() {
  constexpr std::int64_t most_times = 4;
  std::int64_t periods = 1;
  for (DagId d = 0; d < task_set_.dags().size(); ++d)
    periods = std::max(periods, best_.R[d].count() / task_set_.dags()[d].period().count() + 1);
  limits_.periods = std::min(search_.limits.periods, most_times * periods);
}

}  // namespace rta::analysis
