// Release on segments.
#include <algorithm>
#include <utility>

#include "analysis/policies/path_proof.hpp"
#include "analysis/policies/policies.hpp"
#include "analysis/search/cost.hpp"
#include "analysis/search/priority_search.hpp"
#include "analysis/search/segment_search.hpp"

namespace rta::analysis {
namespace {

class Segments {
 public:
  Segments(std::shared_ptr<const TaskSet> task_set, const Options& options)
      : input_(std::move(task_set), options), options_(options), task_set_(*input_.task_set), cuts_(segments_of_cuts(task_set_)) {}

  Proof prove() {
    PathBounds bounds = proven();
    const bool lp = bounds && has_lp(task_set_);
    Proof proof = path_proof(input_, Release::segments, std::move(bounds));
    if (lp) proof.warnings.emplace_back("LP chooses points for release at offsets; on segments the nodes of a DAG share G-EDF's");
    return proof;
  }

 private:
  [[nodiscard]] Cost cost(const SegmentBounds& bounds) const { return cost_of(task_set_, bounds.R, options_.objective); }

  PathBounds proven() { return input_.weights ? best() : PathBounds(input_.weights.reason()); }

  /// Over the weights, then over the priority points.
  PathBounds best() {
    const auto& all = *input_.weights;
    PathBounds best = with(all.front());
    std::size_t best_weights = 0;
    for (std::size_t i = 1; i < all.size(); ++i) {
      PathBounds bounds = with(all[i]);
      if (best && (!bounds || cost(*bounds) >= cost(*best))) continue;
      best = std::move(bounds);
      best_weights = i;
    }
    if (best && options_.optimize_priorities) improve_priorities(*best, all[best_weights]);
    return best;
  }

  PathBounds with(const PlatformWeights& weights) {
    PathBounds late = cuts_ ? bounds_of(*cuts_, weights, path::Refinement::T10g) : searched(weights);
    if (!late) return late;
    PathBounds plain = bounds_of(late->segments, weights, path::Refinement::T10j);
    return plain && cost(*plain) <= cost(*late) ? std::move(plain) : std::move(late);
  }

  PathBounds bounds_of(const Segmentation& segments, const PlatformWeights& weights, path::Refinement refinement) {
    return path_bounds(segment_bounds(task_set_, segments, weights, input_.Y, refinement, limits(options_, "segments")));
  }

  PathBounds searched(const PlatformWeights& weights) {
    SegmentSearch search;
    search.objective = options_.objective;
    search.evaluations = std::max<std::size_t>(3, affordable_evaluations(task_set_));
    search.limits = limits(options_, "segments, choosing cuts");
    return path_bounds(choose_segments(task_set_, weights, input_.Y, search));
  }

  void improve_priorities(SegmentBounds& best, const PlatformWeights& weights) {
    const Segmentation segments = best.segments;
    const auto bounds_at = [&](std::span<const Time> Y) {
      return segment_bounds(task_set_, segments, weights, Y, best.refinement, limits(options_, "priority points of DAGs"));
    };
    auto found = search_priority_points(task_set_, input_.Y, bounds_at, options_.stop);
    if (found) best = std::move(found->bounds);
  }

  PathInput input_;
  const Options& options_;
  const TaskSet& task_set_;
  std::optional<Segmentation> cuts_;  // as the task set asks for
};

}  // namespace

Proof prove_on_segments(std::shared_ptr<const TaskSet> task_set, const Options& options) {
  return Segments(std::move(task_set), options).prove();
}

}  // namespace rta::analysis
