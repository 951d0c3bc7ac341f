#include "analysis/search/stage_search.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/search/cost.hpp"
#include "analysis/search/equal_dags.hpp"
#include "analysis/search/stage_trial.hpp"
#include "analysis/search/take_first.hpp"

namespace rta::analysis {
namespace {

/// The stages of all DAGs of one shape: stage s holds the depths from first[s] on, up to the next stage's.
struct Stages {
  std::vector<std::size_t> first;
  std::vector<Time> point;
  auto operator<=>(const Stages&) const = default;
};
using Choice = std::vector<Stages>;  // per shape

std::vector<std::size_t> depths(const Dag& dag) {
  std::vector<std::size_t> depth(dag.nodes().size(), 0);
  for (const NodeId v : dag.topological_order()) {
    for (const NodeId w : dag.predecessors(v)) depth[v] = std::max(depth[v], depth[w] + 1);
  }
  return depth;
}

/// Descends from one choice of stages.
class StageSearch {
 public:
  StageSearch(const TaskSet& task_set, std::span<const Time> Y, StageTrial& trial)
      : task_set_(task_set), Y_(Y), trial_(trial), shapes_(equal_dags(task_set, [](DagId, DagId) { return true; })) {
    for (const auto& shape : shapes_) depth_.push_back(depths(task_set.dags()[shape.front()]));
  }

  void run() {
    for (const Choice& start : starts()) {
      if (trial_.exhausted()) break;
      descend(start);
    }
    trial_.allow_more();
    if (!trial_.exhausted()) cut_once();
  }

 private:
  [[nodiscard]] std::size_t levels(std::size_t shape) const { return *std::ranges::max_element(depth_[shape]) + 1; }
  [[nodiscard]] Time period(std::size_t shape) const { return task_set_.dags()[shapes_[shape].front()].period(); }

  /// Where the share of the work on processors changes most: depths of much work apart from depths of little, the former a period later.
  [[nodiscard]] Stages by_work(std::size_t shape, double heavy) const {
    const Dag& dag = task_set_.dags()[shapes_[shape].front()];
    std::vector<double> work(levels(shape), 0);
    double total = 0;
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const auto* cpu = std::get_if<CpuDemand>(&dag.nodes()[v].demand);
      if (cpu == nullptr) continue;
      work[depth_[shape][v]] += static_cast<double>(cpu->C.count());
      total += static_cast<double>(cpu->C.count());
    }
    Stages stages;
    bool before = false;
    for (std::size_t depth = 0; depth < work.size(); ++depth) {
      const bool much = work[depth] > heavy * total;
      if (depth > 0 && much == before) continue;
      stages.first.push_back(depth);
      stages.point.push_back(much ? Time(period(shape).count() * 2 / 3) : Time::zero() - period(shape));
      before = much;
    }
    return stages;
  }

  [[nodiscard]] std::vector<Choice> starts() const {
    std::vector<Choice> all;
    for (const double heavy : {0.15, 0.05, 2.0}) {
      Choice choice;
      for (std::size_t shape = 0; shape < shapes_.size(); ++shape) choice.push_back(by_work(shape, heavy));
      if (std::ranges::find(all, choice) == all.end()) all.push_back(std::move(choice));
    }
    return all;
  }

  [[nodiscard]] std::optional<SegmentBounds> bounds_at(const Choice& choice) const {
    Segmentation segments(task_set_.dags().size());
    PerNode<Time> points(task_set_.dags().size());
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape) {
      const Stages& stages = choice[shape];
      std::vector<std::size_t> of;
      of.reserve(depth_[shape].size());
      for (const std::size_t depth : depth_[shape]) {
        of.push_back(static_cast<std::size_t>(std::ranges::upper_bound(stages.first, depth) - stages.first.begin()) - 1);
      }
      for (const DagId d : shapes_[shape]) {
        segments[d] = of;
        points[d] = stages.point;
      }
    }
    return trial_.bounds_at(segments, points, cost_);
  }

  /// Takes the first of these changes of the choice at hand that is better: its number, or `count`.
  template <class Make>
  std::size_t take_first_better(std::size_t from, std::size_t count, const Make& change) {
    const auto make = [&](std::size_t i) {
      std::optional<Choice> next = change(i);
      return next && known_.contains(*next) ? std::nullopt : next;
    };
    const auto take = [&](Choice choice, std::optional<SegmentBounds> bounds) {
      known_.insert(choice);
      const auto cost = trial_.offer(std::move(bounds));
      if (!cost || (cost_ && *cost >= *cost_)) return false;
      here_ = std::move(choice);
      cost_ = cost;
      return true;
    };
    return take_first(
        from, count, [&] { return trial_.room(); }, make, [&](const Choice& choice) { return bounds_at(choice); }, take);
  }

  /// Whole DAGs, each cut once where that is best, points as the DAG's: descends from there if nothing is better so far. Little work on the
  /// processors leaves nothing to gain by points, and the starts have many cuts.
  void cut_once() {
    constexpr std::size_t most_cuts = 32;
    cost_.reset();
    here_.clear();
    for (const auto& shape : shapes_) here_.push_back({{0}, {Y_[shape.front()]}});
    known_.insert(here_);
    cost_ = trial_.offer(bounds_at(here_));
    for (std::size_t shape = 0; shape < shapes_.size() && !trial_.exhausted(); ++shape) {
      const std::size_t depths = levels(shape) - 1;
      const std::size_t count = std::min(depths, most_cuts);
      const auto cut = [&](std::size_t i) {
        std::optional next = here_;
        const Time Y = Y_[shapes_[shape].front()];
        (*next)[shape] = {{0, 1 + i * depths / count}, {Y, Y}};
        return next;
      };
      for (std::size_t i = 0; (i = take_first_better(i, count, cut)) < count;) ++i;
    }
    if (cost_ && *cost_ <= trial_.cost()) descend();
  }

  void descend(const Choice& start) {
    cost_.reset();
    if (!known_.insert(start).second) return;
    here_ = start;
    cost_ = trial_.offer(bounds_at(start));
    descend();
  }

  void descend() {
    constexpr std::int64_t finest = 64;
    for (std::int64_t part = 4; part <= finest && !trial_.exhausted();) {
      const bool points = move_points(part);
      const bool cuts = move_boundaries() || join() || split();
      if (!points && !cuts) part *= 4;
    }
  }

  bool move_points(std::int64_t part) {
    bool improved = false;
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape) {
      const std::int64_t step = std::max<std::int64_t>(1, period(shape).count() / part);
      const auto moved = [&](std::size_t i) {
        std::optional next = here_;
        (*next)[shape].point[i / 2] += Time(i % 2 == 0 ? -step : step);
        return next;
      };
      const std::size_t count = 2 * here_[shape].point.size();
      for (std::size_t i = 0; (i = take_first_better(i, count, moved)) < count;) improved = true;  // and again, as far as that goes
    }
    return improved;
  }

  bool move_boundaries() {
    bool improved = false;
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape) {
      const auto moved = [&](std::size_t i) -> std::optional<Choice> {
        const std::size_t s = 1 + i / 2;
        Choice next = here_;
        auto& first = next[shape].first;
        const std::size_t end = s + 1 < first.size() ? first[s + 1] : levels(shape);
        const std::size_t to = i % 2 == 0 ? first[s] - 1 : first[s] + 1;
        if (to <= first[s - 1] || to >= end) return std::nullopt;
        first[s] = to;
        return next;
      };
      const std::size_t count = 2 * (here_[shape].first.size() - 1);
      for (std::size_t i = 0; (i = take_first_better(i, count, moved)) < count; ++i) improved = true;
    }
    return improved;
  }

  /// Two neighbours, with the point of either.
  bool join() {
    bool improved = false;
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape) {
      const auto joined = [&](std::size_t i) {
        std::optional next = here_;
        const auto s = static_cast<std::ptrdiff_t>(1 + i / 2);
        Stages& stages = (*next)[shape];
        stages.first.erase(stages.first.begin() + s);
        stages.point.erase(stages.point.begin() + (i % 2 == 0 ? s - 1 : s));
        return next;
      };
      const auto count = [&] { return 2 * (here_[shape].first.size() - 1); };
      for (std::size_t i = 0; i < count();) {
        const std::size_t before = count();
        i = take_first_better(i, before, joined);
        if (i == before) break;
        improved = true;
        i += 2 - i % 2;  // the next two
      }
    }
    return improved;
  }

  /// In two, one of which is to go first.
  bool split() {
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape) {
      const auto divided = [&](std::size_t i) -> std::optional<Choice> {
        const std::size_t depth = 1 + i / 2;
        const auto& first = here_[shape].first;
        const auto at = std::ranges::lower_bound(first, depth);
        if (at != first.end() && *at == depth) return std::nullopt;
        const auto s = at - first.begin();  // the new stage
        Choice next = here_;
        Stages& stages = next[shape];
        stages.first.insert(stages.first.begin() + s, depth);
        stages.point.insert(stages.point.begin() + s, stages.point[static_cast<std::size_t>(s) - 1]);
        stages.point[static_cast<std::size_t>(i % 2 == 0 ? s - 1 : s)] -= period(shape);
        return next;
      };
      const std::size_t count = 2 * (levels(shape) - 1);
      if (take_first_better(0, count, divided) < count) return true;
    }
    return false;
  }

  const TaskSet& task_set_;
  std::span<const Time> Y_;
  StageTrial& trial_;
  std::vector<std::vector<DagId>> shapes_;
  std::vector<std::vector<std::size_t>> depth_;  // shape -> node
  std::set<Choice> known_;
  Choice here_;
  std::optional<Cost> cost_;  // of `here_`; none: it has no bounds
};

}  // namespace

SegmentBounds choose_stages(const TaskSet& task_set, const PlatformWeights& weights, std::span<const Time> Y, const SegmentSearch& search,
                            SegmentBounds start) {
  StageTrial trial(task_set, weights, Y, search, std::move(start));
  StageSearch(task_set, Y, trial).run();
  return trial.take();
}

SegmentBounds choose_segment_points(const TaskSet& task_set, const PlatformWeights& weights, std::span<const Time> Y,
                                    const SegmentSearch& search, SegmentBounds start) {
  const Segmentation segments = start.segments;
  const auto shapes = equal_dags(task_set, [&](DagId a, DagId b) { return Y[a] == Y[b] && segments[a] == segments[b]; });
  PerNode<Time> points;  // DAG, segment
  for (DagId d = 0; d < segments.size(); ++d) points.emplace_back(*std::ranges::max_element(segments[d]) + 1, Y[d]);
  Cost cost = cost_of(task_set, start.R, search.objective);
  StageTrial trial(task_set, weights, Y, search, std::move(start));
  constexpr std::int64_t finest = 64;
  for (std::int64_t part = 1; part <= finest && !trial.exhausted();) {
    bool improved = false;
    for (const auto& shape : shapes) {
      const std::int64_t step = std::max<std::int64_t>(1, task_set.dags()[shape.front()].period().count() / part);
      const auto moved = [&](std::size_t i) {
        std::optional next = points;
        for (const DagId d : shape) (*next)[d][i / 2] += Time(i % 2 == 0 ? -step : step);
        return next;
      };
      const auto take = [&](PerNode<Time> next, std::optional<SegmentBounds> bounds) {
        const auto now = trial.offer(std::move(bounds));
        if (!now || *now >= cost) return false;
        cost = *now;
        points = std::move(next);
        return true;
      };
      const auto bounds_at = [&](const PerNode<Time>& next) { return trial.bounds_at(segments, next, cost); };
      const std::size_t count = 2 * points[shape.front()].size();
      for (std::size_t i = 0; (i = take_first(
                                   i, count, [&] { return trial.room(); }, moved, bounds_at, take)) < count;
           ++i) {
        improved = true;
      }
    }
    if (!improved) part *= 4;
  }
  return trial.take();
}

}  // namespace rta::analysis
