// Release on segments.
#include <algorithm>
#include <utility>

#include "analysis/policies/path_proof.hpp"
#include "analysis/policies/policies.hpp"
#include "analysis/search/cost.hpp"
#include "analysis/search/priority_search.hpp"
#include "analysis/search/segment_search.hpp"
#include "analysis/search/stage_search.hpp"

namespace rta::analysis {
namespace {

class Segments {
 public:
  Segments(std::shared_ptr<const TaskSet> task_set, const Options& options)
      : input_(std::move(task_set), options), options_(options), task_set_(*input_.task_set), cuts_(segments_of_cuts(task_set_)) {}

  Proof prove() {
    PathBounds bounds = proven();
    const bool lp = bounds && has_lp(task_set_);
    const path::Refinement asked = options_.fitting == Fitting::all ? path::Refinement::T10w : path::Refinement::T10g;
    Proof proof = path_proof(input_, Release::segments, std::move(bounds), asked);
    if (options_.stop && options_.stop())
      proof.left_out.push_back({.what = LeftOut::What::search, .theorems = {}, .limit = LeftOut::Limit::time, .where = {}});
    if (lp)
      proof.warnings.emplace_back(
          "LP chooses points for release at offsets; on segments the nodes of a segment share one, at first G-EDF's");
    return proof;
  }

 private:
  [[nodiscard]] Cost cost(const SegmentBounds& bounds) const { return cost_of(task_set_, bounds.R, options_.objective); }

  PathBounds proven() { return input_.weights ? best() : PathBounds(input_.weights.reason()); }

  /// Over the weights, then over the priority points.
  PathBounds best() {
    const auto& all = *input_.weights;
    PathBounds best = with(all.front());
    for (std::size_t i = 1; i < all.size(); ++i) {
      PathBounds bounds = with(all[i]);
      if (best && (!bounds || cost(*bounds) >= cost(*best))) continue;
      best = std::move(bounds);
    }
    const std::optional<PlatformWeights> turns = best ? std::nullopt : with_turns(all.back(), input_.in_turn);
    if (turns) {
      PathBounds bounds = with(*turns);
      if (bounds) best = std::move(bounds);
    }
    if (best && options_.optimize_priorities) improve_priorities(*best);
    if (!best) return best;
    const path::Refinement refinement = best->refinement;
    return least_with_turns(input_, std::move(*best), refinement, limits(options_, "segments, kernels in turn"));
  }

  PathBounds with(const PlatformWeights& weights) {
    PathBounds late = cuts_ ? bounds_of(*cuts_, weights, path::Refinement::T10g) : searched(weights);
    if (!late) return late;
    if (may_gain_by_points(*late)) late = with_points(weights, std::move(*late));
    PathBounds plain =
        path_bounds(segment_bounds(task_set_, late->segments, late->system, path::Refinement::T10j, limits(options_, "segments")));
    PathBounds best = plain && cost(*plain) <= cost(*late) ? std::move(plain) : std::move(late);
    if (options_.fitting == Fitting::all) fit(weights, *best);
    return best;
  }

  /// T10p and T10w at the cuts that were found without them, and at those that gain most by them.
  void fit(const PlatformWeights& weights, SegmentBounds& best) {
    const auto offer = [&](const Segmentation& segments, PathSystem system) {
      auto fitting = segment_bounds(task_set_, segments, std::move(system), path::Refinement::T10w, limits(options_, "segments, T10w"));
      if (fitting && cost(*fitting) < cost(best)) best = std::move(*fitting);
    };
    offer(Segmentation(best.segments), best.system);
    if (cuts_) return;
    for (const Segmentation& segments : {whole_dags(task_set_), segments_by_pool(task_set_), segment_per_node(task_set_)}) {
      offer(segments, path_system(task_set_, segments, weights, input_.Y));
    }
  }

  PathBounds bounds_of(const Segmentation& segments, const PlatformWeights& weights, path::Refinement refinement) {
    return path_bounds(segment_bounds(task_set_, segments, weights, input_.Y, refinement, limits(options_, "segments")));
  }

  /// T10c needs a preemptive pool with points, and releases without jitter; where all bounds are below the periods, whole DAGs pay for
  /// little more than is there.
  [[nodiscard]] bool may_gain_by_points(const SegmentBounds& bounds) const {
    if (path::has_release_jitter(bounds.system.system)) return false;
    const bool points =
        std::ranges::any_of(bounds.system.system.pools, [](const path::Pool& pool) { return pool.order == path::Order::gel; });
    for (DagId d = 0; d < bounds.R.size(); ++d) {
      if (bounds.R[d] > task_set_.dags()[d].period()) return points;
    }
    return false;
  }

  SegmentBounds with_points(const PlatformWeights& weights, SegmentBounds start) {
    SegmentSearch search;
    search.objective = options_.objective;
    search.threads = std::max<std::size_t>(1, options_.threads);
    search.evaluations = options_.stop ? 8 * affordable_evaluations(task_set_) : affordable_evaluations(task_set_);
    search.limits = limits(options_, "segments, choosing points");
    return cuts_ ? choose_segment_points(task_set_, weights, input_.Y, search, std::move(start))
                 : choose_stages(task_set_, weights, input_.Y, search, std::move(start));
  }

  PathBounds searched(const PlatformWeights& weights) {
    SegmentSearch search;
    search.objective = options_.objective;
    search.threads = std::max<std::size_t>(1, options_.threads);
    search.evaluations = std::max<std::size_t>(3, affordable_evaluations(task_set_));
    search.limits = limits(options_, "segments, choosing cuts");
    return path_bounds(choose_segments(task_set_, weights, input_.Y, search));
  }

  void improve_priorities(SegmentBounds& best) {
    const Segmentation segments = best.segments;
    const PathSystem at_best = best.system;
    const auto bounds_at = [&](std::span<const Time> Y) {
      PathSystem system = at_best;  // the points of a DAG's segments move together
      for (std::size_t i = 0; i < system.dag_of.size(); ++i) system.system.dags[i].Y += Y[system.dag_of[i]] - input_.Y[system.dag_of[i]];
      return segment_bounds(task_set_, segments, std::move(system), best.refinement, limits(options_, "priority points of DAGs"));
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
  Proof proof = Segments(task_set, options).prove();
  if (options.objective != Objective::sum || verdict_of(proof) != Verdict::deadline_missed) return proof;
  // Cuts of the least sum may leave a deadline missed that others meet.
  Options by_lateness = options;
  by_lateness.objective = Objective::max_lateness;
  Proof other = Segments(std::move(task_set), by_lateness).prove();
  return better(other, proof, options.objective) ? std::move(other) : std::move(proof);
}

}  // namespace rta::analysis
