#include "analysis/search/stage_search.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/search/cost.hpp"
#include "analysis/search/equal_dags.hpp"

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

/// Looks for better bounds than those at hand, which every choice has to undercut.
class StageTrial {
 public:
  StageTrial(const TaskSet& task_set, const PlatformWeights& weights, std::span<const Time> Y, const SegmentSearch& search,
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

  [[nodiscard]] bool exhausted() const { return tried_ >= search_.evaluations || (search_.limits.stop && search_.limits.stop()); }

  /// The cost at these segments and points, if there are bounds and they may be less than `than`. Takes them where they are the best so
  /// far.
  std::optional<Cost> cost_at(const Segmentation& segments, const PerNode<Time>& points, const std::optional<Cost>& than) {
    ++tried_;
    PathSystem system = path_system(task_set_, segments, weights_, Y_);
    for (std::size_t i = 0; i < system.system.dags.size(); ++i) system.system.dags[i].Y = points[system.dag_of[i]][system.segment_of[i]];
    auto bounds = segment_bounds(task_set_, segments, std::move(system), path::Refinement::T10g, limits_,
                                 than ? far_above(task_set_, *than, search_.objective) : Surpassed());
    if (!bounds) return std::nullopt;
    const Cost cost = cost_of(task_set_, bounds->R, search_.objective);
    if (cost < cost_) {
      best_ = std::move(*bounds);
      cost_ = cost;
      shorten();
    }
    return cost;
  }

  [[nodiscard]] SegmentBounds take() { return std::move(best_); }

 private:
  /// A DAG whose bound alone is several times all that the best has need not be looked at to its end.
  void shorten() {
    constexpr std::int64_t most_times = 4;
    std::int64_t periods = 1;
    for (DagId d = 0; d < task_set_.dags().size(); ++d)
      periods = std::max(periods, best_.R[d].count() / task_set_.dags()[d].period().count() + 1);
    limits_.periods = std::min(search_.limits.periods, most_times * periods);
  }

  const TaskSet& task_set_;
  const PlatformWeights& weights_;
  std::span<const Time> Y_;
  const SegmentSearch& search_;
  path::Limits limits_;
  SegmentBounds best_;
  Cost cost_;
  std::size_t tried_ = 0;
};

/// Descends from one choice of stages.
class StageSearch {
 public:
  StageSearch(const TaskSet& task_set, StageTrial& trial)
      : task_set_(task_set), trial_(trial), shapes_(equal_dags(task_set, [](DagId, DagId) { return true; })) {
    for (const auto& shape : shapes_) depth_.push_back(depths(task_set.dags()[shape.front()]));
  }

  void run() {
    for (const Choice& start : starts()) {
      if (trial_.exhausted()) return;
      descend(start);
    }
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

  std::optional<Cost> cost_at(const Choice& choice) {
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
    return trial_.cost_at(segments, points, cost_);
  }

  /// Takes `choice` if it is better than the one at hand.
  bool consider(Choice choice) {
    if (trial_.exhausted() || !known_.insert(choice).second) return false;
    const auto cost = cost_at(choice);
    if (!cost || (cost_ && *cost >= *cost_)) return false;
    here_ = std::move(choice);
    cost_ = cost;
    return true;
  }

  void descend(const Choice& start) {
    cost_.reset();
    if (!known_.insert(start).second) return;
    here_ = start;
    cost_ = cost_at(start);
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
      for (std::size_t s = 0; s < here_[shape].point.size(); ++s) {
        for (const std::int64_t change : {-step, step}) {
          bool again = true;
          while (again) {
            Choice next = here_;
            next[shape].point[s] += Time(change);
            again = consider(std::move(next));
            improved = improved || again;
          }
        }
      }
    }
    return improved;
  }

  bool move_boundaries() {
    bool improved = false;
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape) {
      for (std::size_t s = 1; s < here_[shape].first.size(); ++s) {
        for (const bool later : {false, true}) {
          Choice next = here_;
          auto& first = next[shape].first;
          const std::size_t end = s + 1 < first.size() ? first[s + 1] : levels(shape);
          const std::size_t moved = later ? first[s] + 1 : first[s] - 1;
          if (moved <= first[s - 1] || moved >= end) continue;
          first[s] = moved;
          improved = consider(std::move(next)) || improved;
        }
      }
    }
    return improved;
  }

  /// Two neighbours, with the point of either.
  bool join() {
    bool improved = false;
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape) {
      for (std::size_t s = 1; s < here_[shape].first.size(); ++s) {
        bool joined = false;
        for (const std::size_t dropped : {s - 1, s}) {
          if (joined) break;
          Choice next = here_;
          next[shape].first.erase(next[shape].first.begin() + static_cast<std::ptrdiff_t>(s));
          next[shape].point.erase(next[shape].point.begin() + static_cast<std::ptrdiff_t>(dropped));
          joined = consider(std::move(next));
        }
        improved = improved || joined;
      }
    }
    return improved;
  }

  /// In two, one of which is to go first.
  bool split() {
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape) {
      for (std::size_t depth = 1; depth < levels(shape); ++depth) {
        const auto& first = here_[shape].first;
        const auto at = std::ranges::lower_bound(first, depth);
        if (at != first.end() && *at == depth) continue;
        const auto s = at - first.begin();  // the new stage
        for (const std::ptrdiff_t early : {s - 1, s}) {
          Choice next = here_;
          next[shape].first.insert(next[shape].first.begin() + s, depth);
          next[shape].point.insert(next[shape].point.begin() + s, next[shape].point[static_cast<std::size_t>(s) - 1]);
          next[shape].point[static_cast<std::size_t>(early)] -= period(shape);
          if (consider(std::move(next))) return true;
        }
      }
    }
    return false;
  }

  const TaskSet& task_set_;
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
  StageSearch(task_set, trial).run();
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
      for (std::size_t s = 0; s < points[shape.front()].size(); ++s) {
        for (const std::int64_t change : {-step, step}) {
          if (trial.exhausted()) break;
          PerNode<Time> next = points;
          for (const DagId d : shape) next[d][s] += Time(change);
          const auto now = trial.cost_at(segments, next, cost);
          if (!now || *now >= cost) continue;
          cost = *now;
          points = std::move(next);
          improved = true;
        }
      }
    }
    if (!improved) part *= 4;
  }
  return trial.take();
}

}  // namespace rta::analysis
