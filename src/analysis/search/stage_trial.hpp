// Bounds at choices of segments and priority points, of which the best is kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "analysis/search/cost.hpp"
#include "analysis/search/segment_search.hpp"
#include "rta/analysis/path/segments.hpp"

namespace rta::analysis {

/// Looks for better bounds than those at hand, which every choice has to undercut.
class StageTrial {
 public:
  StageTrial(const TaskSet& task_set, const PlatformWeights& weights, std::span<const Time> Y, const SegmentSearch& search,
             SegmentBounds start);

  [[nodiscard]] bool exhausted() const { return tried_ >= evaluations_ || (search_.limits.stop && search_.limits.stop()); }
  /// How many may be tried at once.
  [[nodiscard]] std::size_t room() const { return exhausted() ? 0 : std::min(search_.threads, evaluations_ - tried_); }

  /// A third of the evaluations once more.
  void allow_more() { evaluations_ = tried_ + search_.evaluations / 3; }

  /// At these segments and points, if there are bounds and their cost may be less than `than`.
  [[nodiscard]] std::optional<SegmentBounds> bounds_at(const Segmentation& segments, const PerNode<Time>& points,
                                                       const std::optional<Cost>& than) const;

  /// The cost of what was tried. Takes it where it is the best so far.
  std::optional<Cost> offer(std::optional<SegmentBounds> bounds);

  /// Of the best.
  [[nodiscard]] const Cost& cost() const { return cost_; }
  [[nodiscard]] SegmentBounds take() {
    if (tried_ >= evaluations_) add_left_out(best_.left_out, search_ended(search_.evaluations));
    return std::move(best_);
  }

 private:
  /// A DAG whose bound alone is several times all that the best has need not be looked at to its end.
  void shorten();

  const TaskSet& task_set_;
  const PlatformWeights& weights_;
  std::span<const Time> Y_;
  const SegmentSearch& search_;
  path::Limits limits_;
  SegmentBounds best_;
  Cost cost_;
  std::size_t evaluations_ = search_.evaluations;
  std::size_t tried_ = 0;
};

}  // namespace rta::analysis
