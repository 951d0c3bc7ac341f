#include "priority_search.hpp"

#include <algorithm>
#include <utility>

namespace rta::analysis {
namespace {

std::pair<Wide, Wide> lateness_and_sum(const TaskSet& task_set, const SegmentBounds& bounds) {
  Wide sum = 0;
  std::optional<Wide> lateness;
  for (DagId d = 0; d < bounds.R.size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    const Wide late = Wide{bounds.R[d].count()} - dag.deadline().value_or(dag.period()).count();
    sum += bounds.R[d].count();
    lateness = std::max(lateness.value_or(late), late);
  }
  return {lateness.value_or(0), sum};
}

}  // namespace

std::optional<FoundPriorityPoints> search_priority_points(const TaskSet& task_set, std::span<const Time> start,
                                                          const std::function<Result<SegmentBounds>(std::span<const Time>)>& bounds_at,
                                                          const std::function<bool()>& stop, std::size_t evaluations) {
  std::vector<std::vector<DagId>> shapes;
  Time step;
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    step = std::max(step, dag.deadline().value_or(dag.period()));
    auto like = std::ranges::find_if(
        shapes, [&](const auto& shape) { return start[shape.front()] == start[d] && task_set.dags()[shape.front()].same_shape(dag); });
    if (like == shapes.end()) like = shapes.insert(like, std::vector<DagId>{});
    like->push_back(d);
  }
  if (shapes.size() < 2) return std::nullopt;  // only differences matter
  auto first = bounds_at(start);
  if (!first) return std::nullopt;
  FoundPriorityPoints best{{start.begin(), start.end()}, std::move(*first)};
  auto cost = lateness_and_sum(task_set, best.bounds);

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
        const auto now = lateness_and_sum(task_set, *bounds);
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
