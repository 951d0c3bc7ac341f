#include "analysis/search/priority_search.hpp"

#include <algorithm>
#include <utility>

#include "analysis/search/cost.hpp"
#include "analysis/search/equal_dags.hpp"

namespace rta::analysis {
std::optional<FoundPriorityPoints> search_priority_points(const TaskSet& task_set, std::span<const Time> start,
                                                          const std::function<Result<SegmentBounds>(std::span<const Time>)>& bounds_at,
                                                          const std::function<bool()>& stop, std::size_t evaluations) {
  Time step;
  for (const Dag& dag : task_set.dags()) step = std::max(step, dag.deadline().value_or(dag.period()));
  const auto shapes = equal_dags(task_set, [&](DagId a, DagId b) { return start[a] == start[b]; });
  if (shapes.size() < 2) return std::nullopt;  // only differences matter
  auto first = bounds_at(start);
  if (!first) return std::nullopt;
  FoundPriorityPoints best{{start.begin(), start.end()}, std::move(*first)};
  auto cost = cost_of(task_set, best.bounds.R, Objective::max_lateness);

  std::size_t tried = 0;
  bool any = false;
  const auto done = [&] { return tried >= evaluations || (stop && stop()); };
  // One shape at a time by a step up or down; the step halves when no shape gains by it.
  constexpr int halvings = 12;
  for (int i = 0; i < halvings && step > Time::zero() && !done();) {
    bool improved = false;
    for (const auto& shape : shapes) {
      for (const Time change : {step, Time::zero() - step}) {
        if (done()) break;
        std::vector<Time> Y = best.Y;
        for (const DagId d : shape) Y[d] += change;
        ++tried;
        auto bounds = bounds_at(Y);
        if (!bounds) continue;
        const auto now = cost_of(task_set, bounds->R, Objective::max_lateness);
        if (now >= cost) continue;
        cost = now;
        best = {std::move(Y), std::move(*bounds)};
        improved = any = true;
      }
    }
    if (improved) continue;
    step = Time(step.count() / 2);
    ++i;
  }
  if (!any) return std::nullopt;
  return best;
}

}  // namespace rta::analysis
