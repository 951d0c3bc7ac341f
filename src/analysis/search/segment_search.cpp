#include "analysis/search/segment_search.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/path/system/segment_quotient.hpp"
#include "analysis/search/cost.hpp"
#include "analysis/search/equal_dags.hpp"
#include "analysis/search/take_first.hpp"

namespace rta::analysis {
namespace {

class StartSearch {
 public:
  StartSearch(const TaskSet& task_set, const PlatformWeights& weights, std::span<const Time> Y, const SegmentSearch& search)
      : task_set_(task_set),
        weights_(weights),
        Y_(Y),
        search_(search),
        shapes_(equal_dags(task_set, [Y](DagId a, DagId b) { return Y[a] == Y[b]; })) {}

  Result<SegmentBounds> run() {
    // Merging never undoes a merge: so a start with few cuts and one with all of them, each with its share of the evaluations.
    const Segmentation starts[] = {whole_dags(task_set_), segments_by_pool(task_set_), segment_per_node(task_set_)};
    std::optional<SegmentBounds> best;
    Cost cost;
    std::optional<Reason> reason;
    for (std::size_t i = 0; i < std::size(starts); ++i) {
      best_.reset();
      may_try_ = search_.evaluations * (i + 1) / std::size(starts);
      if (best && exhausted()) break;
      auto bounds = evaluate(starts[i]);
      if (!bounds) {
        reason = bounds.reason();
        continue;
      }
      best_ = std::move(*bounds);
      cost_ = cost_of(task_set_, best_->R, search_.objective);
      // Coarse moves first: whole stages, then single segments, then single nodes.
      while (improve_stages()) {
      }
      if (best && far_behind(*best, cost)) break;
      while (improve_stages() || improve_segments() || improve_nodes()) {
      }
      spent_ = spent_ || tried_ >= may_try_;
      if (best && cost <= cost_) continue;
      best = std::move(best_);
      cost = cost_;
    }
    if (!best) return *std::move(reason);
    if (spent_) add_left_out(best->left_out, search_ended(search_.evaluations));
    return std::move(*best);
  }

 private:
  /// Whether single segments and nodes cannot be expected to make up for what this start lacks to the best of those before; then starts
  /// with more cuts lack more. (The full search found a smaller bound in 1 of 675 random systems, by 0.6 %.)
  bool far_behind(const SegmentBounds& best, const Cost& cost) const {
    Wide size = 0;
    for (const Time R : best.R) size = search_.objective == Objective::sum ? size + R.count() : std::max<Wide>(size, R.count());
    return cost_.first - cost.first > size / 4;
  }

  bool exhausted() const { return tried_ >= may_try_ || (search_.limits.stop && search_.limits.stop()); }

  [[nodiscard]] Result<SegmentBounds> bounds_of(const Segmentation& segments, const Surpassed& surpassed) const {
    return segment_bounds(task_set_, segments, path_system(task_set_, segments, weights_, Y_), path::Refinement::T10g, search_.limits,
                          surpassed);
  }

  Result<SegmentBounds> evaluate(const Segmentation& start) {
    known_.insert(start);
    ++tried_;
    return bounds_of(start, {});
  }

  /// How many may be tried at once.
  [[nodiscard]] std::size_t room() const { return exhausted() ? 0 : std::min(search_.threads, may_try_ - tried_); }

  /// Takes the first of these changes of the best so far that is better: its number, or `count`.
  template <class Change>
  std::size_t take_first_better(std::size_t from, std::size_t count, const Change& change) {
    const auto make = [&](std::size_t i) {
      std::optional<Segmentation> next = change(i);
      return next && known_.contains(*next) ? std::nullopt : next;
    };
    const Surpassed surpassed = far_above(task_set_, cost_, search_.objective);
    const auto solve = [&](const Segmentation& segments) -> std::optional<SegmentBounds> {
      auto bounds = bounds_of(segments, surpassed);
      if (!bounds) return std::nullopt;
      return std::move(*bounds);
    };
    const auto take = [&](Segmentation segments, std::optional<SegmentBounds> bounds) {
      ++tried_;
      known_.insert(std::move(segments));
      if (!bounds) return false;
      const Cost cost = cost_of(task_set_, bounds->R, search_.objective);
      if (cost >= cost_) return false;
      best_ = std::move(bounds);
      cost_ = cost;
      return true;
    };
    return take_first(
        from, count, [&] { return room(); }, make, solve, take);
  }

  /// `segment` for all DAGs of one shape, if its quotient is acyclic.
  [[nodiscard]] std::optional<Segmentation> with(const std::vector<DagId>& shape, const std::vector<std::size_t>& segment) const {
    if (!Quotient(task_set_.dags()[shape.front()], segment).acyclic()) return std::nullopt;
    Segmentation segments = best_->segments;
    for (const DagId d : shape) segments[d] = segment;
    return segments;
  }

  const std::vector<std::size_t>& segment_of(const std::vector<DagId>& shape) const { return best_->segments[shape.front()]; }

  /// Depth of each segment in the quotient.
  std::vector<std::size_t> stages(const std::vector<DagId>& shape) const {
    const Quotient quotient(task_set_.dags()[shape.front()], segment_of(shape));
    std::vector<std::size_t> stage(quotient.size(), 0);
    for (const std::size_t s : quotient.order()) {
      for (const Edge& edge : quotient.edges_out_of(s)) {
        auto& next = stage[segment_of(shape)[edge.to]];
        next = std::max(next, stage[s] + 1);
      }
    }
    return stage;
  }

  /// Undoes all cuts between two neighbouring stages.
  bool improve_stages() {
    bool improved = false;
    for (const auto& shape : shapes_) {
      const Dag& dag = task_set_.dags()[shape.front()];
      for (bool again = true; again && !exhausted();) {
        const auto stage = stages(shape);
        const std::size_t last = stage.empty() ? 0 : *std::max_element(stage.begin(), stage.end());
        const auto undone = [&](std::size_t i) {
          const auto& old = segment_of(shape);
          auto segment = old;
          for (const Edge& edge : dag.edges()) {
            const std::size_t a = segment[edge.from];
            const std::size_t b = segment[edge.to];
            if (a == b || stage[old[edge.from]] != i || stage[old[edge.to]] != i + 1) continue;
            std::replace(segment.begin(), segment.end(), b, a);
          }
          return with(shape, merge_cycles(dag, segment));
        };
        again = take_first_better(0, last, undone) < last;
        improved = improved || again;
      }
    }
    return improved;
  }

  /// Joins two segments that an edge connects.
  bool improve_segments() {
    bool improved = false;
    for (const auto& shape : shapes_) {
      const Dag& dag = task_set_.dags()[shape.front()];
      for (bool again = true; again && !exhausted();) {
        std::set<std::pair<std::size_t, std::size_t>> connected;
        for (const Edge& edge : dag.edges()) {
          const std::size_t a = segment_of(shape)[edge.from];
          const std::size_t b = segment_of(shape)[edge.to];
          if (a != b) connected.insert({a, b});
        }
        const std::vector<std::pair<std::size_t, std::size_t>> pairs(connected.begin(), connected.end());
        const auto joined = [&](std::size_t i) {
          auto segment = segment_of(shape);
          std::replace(segment.begin(), segment.end(), pairs[i].second, pairs[i].first);
          return with(shape, merge_cycles(dag, segment));
        };
        again = take_first_better(0, pairs.size(), joined) < pairs.size();
        improved = improved || again;
      }
    }
    return improved;
  }

  /// Moves a cut by one node: an end of an edge to the segment of the other.
  bool improve_nodes() {
    bool improved = false;
    for (const auto& shape : shapes_) {
      const Dag& dag = task_set_.dags()[shape.front()];
      const auto moved = [&](std::size_t i) -> std::optional<Segmentation> {
        const Edge& edge = dag.edges()[i / 2];
        auto segment = segment_of(shape);
        if (segment[edge.from] == segment[edge.to]) return std::nullopt;
        if (i % 2 == 0) {
          segment[edge.to] = segment[edge.from];
        } else {
          segment[edge.from] = segment[edge.to];
        }
        return with(shape, renumbered(segment));
      };
      const std::size_t count = 2 * dag.edges().size();
      for (std::size_t next = 0; next < count && !exhausted();) {
        next = take_first_better(next, count, moved);
        improved = improved || next < count;
        ++next;
      }
    }
    return improved;
  }

  const TaskSet& task_set_;
  const PlatformWeights& weights_;
  std::span<const Time> Y_;
  const SegmentSearch& search_;
  std::vector<std::vector<DagId>> shapes_;
  std::set<Segmentation> known_;
  std::size_t tried_ = 0;
  bool spent_ = false;  // what a start may try
  std::size_t may_try_ = 0;
  std::optional<SegmentBounds> best_;
  Cost cost_;
};

}  // namespace

std::size_t different_nodes(const TaskSet& task_set) {
  std::size_t nodes = 0;
  for (const auto& group : equal_dags(task_set, [](DagId, DagId) { return true; })) {
    nodes += task_set.dags()[group.front()].nodes().size();
  }
  return nodes;
}

std::size_t affordable_evaluations(const TaskSet& task_set) {
  // The time of one evaluation grows with the square of the number of different segments, at worst that of different nodes.
  constexpr std::size_t most = 300;
  constexpr std::size_t pairs = 20'000'000;
  const std::size_t nodes = different_nodes(task_set);
  if (nodes > most_nodes_of_searches) return 0;
  return std::min(most, pairs / std::max<std::size_t>(1, nodes * nodes));
}

Result<SegmentBounds> choose_segments(const TaskSet& task_set, const PlatformWeights& weights, std::span<const Time> Y,
                                      const SegmentSearch& search) {
  return StartSearch(task_set, weights, Y, search).run();
}

}  // namespace rta::analysis
