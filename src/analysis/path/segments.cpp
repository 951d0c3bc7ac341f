#include "rta/analysis/path/segments.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <variant>

#include "analysis/path/finer_unit.hpp"
#include "analysis/path/plain_bounds.hpp"
#include "analysis/path/rules.hpp"
#include "analysis/path/system/segment_quotient.hpp"
#include "analysis/path/system/ticks.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

template <class IsCut>
Segmentation joined_by_uncut_edges(const TaskSet& task_set, const IsCut& is_cut) {
  Segmentation segments;
  for (const Dag& dag : task_set.dags()) {
    std::vector<std::size_t> root(dag.nodes().size());
    std::iota(root.begin(), root.end(), std::size_t{0});
    const auto find = [&](std::size_t v) {
      while (root[v] != v) v = root[v] = root[root[v]];
      return v;
    };
    for (const Edge& edge : dag.edges()) {
      if (!is_cut(dag, edge)) root[find(edge.from)] = find(edge.to);
    }
    std::vector<std::size_t> of(root.size());
    for (std::size_t v = 0; v < of.size(); ++v) of[v] = find(v);
    segments.push_back(merge_cycles(dag, of));
  }
  return segments;
}

}  // namespace

std::optional<Segmentation> segments_of_cuts(const TaskSet& task_set) {
  const bool any = std::ranges::any_of(task_set.dags(), [](const Dag& dag) { return std::ranges::any_of(dag.edges(), &Edge::cut); });
  if (!any) return std::nullopt;
  return joined_by_uncut_edges(task_set, [](const Dag&, const Edge& edge) { return edge.cut; });
}

Segmentation segments_by_pool(const TaskSet& task_set) {
  return joined_by_uncut_edges(task_set,
                               [](const Dag& dag, const Edge& edge) { return dag.nodes()[edge.from].pool != dag.nodes()[edge.to].pool; });
}

Segmentation segment_per_node(const TaskSet& task_set) {
  Segmentation segments;
  for (const Dag& dag : task_set.dags()) {
    segments.emplace_back(dag.nodes().size());
    std::iota(segments.back().begin(), segments.back().end(), std::size_t{0});
  }
  return segments;
}

Result<SegmentBounds> segment_bounds(const TaskSet& task_set, const Segmentation& segments, const PlatformWeights& weights,
                                     std::span<const Time> Y, path::Refinement refinement, const path::Limits& limits) {
  return segment_bounds(task_set, segments, path_system(task_set, segments, weights, Y), refinement, limits);
}

namespace {

/// How far the ends are from their periods, for what says more of the DAGs.
double sum_of_loads(const TaskSet& task_set, const SegmentBounds& bounds) {
  double sum = 0;
  for (DagId d = 0; d < bounds.R.size(); ++d) {
    sum += static_cast<double>(bounds.R[d].count()) / static_cast<double>(task_set.dags()[d].nominal_period().count());
  }
  return sum;
}

/// The segments of all DAGs, and when they and their nodes end.
class EndsOfDags {
 public:
  /// Ends of nodes are in 1/unit ns, what is made of them in ns.
  EndsOfDags(const TaskSet& task_set, const Segmentation& segments, const PathSystem& system, std::int64_t unit)
      : task_set_(task_set), segments_(segments), system_(system), unit_(unit) {
    quotients_.reserve(segments.size());
    for (DagId d = 0; d < segments.size(); ++d) {
      quotients_.emplace_back(task_set.dags()[d], segments[d]);
      require(quotients_.back().acyclic(), "no segments of a DAG wait for each other");
    }
  }

  /// Of the nodes of DAG d after its release, and Phi of its segments. `F`: of the nodes of segments, from the segment's release on.
  void set(DagId d, const PerNode<Time>& F, std::vector<Time>& offset, std::vector<Time>& ends) const {
    const Dag& dag = task_set_.dags()[d];
    const auto& of = segments_[d];
    const auto end_of = [&](NodeId v) {
      const auto& place = system_.place[d][v];
      return to_time(ceil_div(F[place.dag][place.node].count(), unit_));
    };
    offset.assign(quotients_[d].size(), Time());
    for (const std::size_t s : quotients_[d].order()) {
      for (const Edge& edge : quotients_[d].edges_out_of(s)) {
        offset[of[edge.to]] = std::max(offset[of[edge.to]], offset[s] + end_of(edge.from));
      }
    }
    ends.clear();
    ends.reserve(dag.nodes().size());
    for (NodeId v = 0; v < dag.nodes().size(); ++v) ends.push_back(offset[of[v]] + end_of(v));
  }

  /// Of a node that ends a DAG's path: the others end before their successors are released or end.
  [[nodiscard]] Time last(DagId d, const std::vector<Time>& ends) const {
    Time R;
    for (NodeId v = 0; v < ends.size(); ++v) {
      if (task_set_.dags()[d].successors(v).empty()) R = std::max(R, ends[v]);
    }
    return R;
  }

  [[nodiscard]] std::vector<Time> last(const PerNode<Time>& F) const {
    std::vector<Time> R;
    std::vector<Time> offset;
    std::vector<Time> ends;
    R.reserve(segments_.size());
    for (DagId d = 0; d < segments_.size(); ++d) {
      set(d, F, offset, ends);
      R.push_back(last(d, ends));
    }
    return R;
  }

 private:
  const TaskSet& task_set_;
  const Segmentation& segments_;
  const PathSystem& system_;
  std::int64_t unit_;
  std::vector<Quotient> quotients_;
};

/// `solve`: the bounds of a system, within limits.
template <class Solve>
Result<SegmentBounds> bounds_of(const TaskSet& task_set, const Segmentation& segments, PathSystem system, path::Refinement refinement,
                                const path::Limits& limits, const Surpassed& surpassed, Solve solve, std::int64_t unit = 1) {
  SegmentBounds result;
  result.segments = segments;
  result.system = std::move(system);
  result.unit = unit;
  result.refinement = refinement;
  const EndsOfDags ends(task_set, segments, result.system, unit);
  path::Limits within = limits;
  if (surpassed) {
    within.surpassed = [&](const PerNode<Time>& F) {
      try {
        return surpassed(ends.last(F));
      } catch (const Overflow&) {  // of a sum of ends that may rise past their limits yet
        return true;
      }
    };
  }
  Result<path::NodeBounds> bounds = solve(result.system.system, within);
  if (!bounds) return bounds.reason();
  result.bounds = std::move(*bounds);

  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    ends.set(d, result.bounds.F, result.offset.emplace_back(), result.F.emplace_back());
    result.R.push_back(ends.last(d, result.F.back()));
  }
  return result;
}

bool some_release_jitter(const TaskSet& task_set) {
  return std::ranges::any_of(task_set.dags(), [](const Dag& dag) { return dag.attributes().jitter > Time::zero(); });
}

std::vector<Theorem> with_jitter(path::Refinement refinement) {
  const path::Rules rules = path::rules_of(refinement);
  std::vector<Theorem> theorems{Theorem::T12};
  if (rules.has(path::Rule::local_on_fifo)) theorems.push_back(Theorem::T12j);
  if (rules.has(path::Rule::whole)) theorems.push_back(Theorem::T12d);
  if (rules.has(path::Rule::fitting)) theorems.insert(theorems.end(), {Theorem::T12w, Theorem::T12m});
  return theorems;
}

/// A reason for releases T - J apart, with the loads of releases every T.
Reason by_periods(Reason reason, const path::System& nominal, reason::CloserReleases closer) {
  if (const auto* overload = std::get_if<reason::PathOverload>(&reason)) {
    if (auto real = path::overloaded_pool(nominal)) return *std::move(real);
    closer.pool = overload->pool;
    return closer;
  }
  if (auto* past = std::get_if<reason::PastLimit>(&reason)) {
    const auto pool = std::ranges::find(nominal.pools, past->pool, &path::Pool::name);
    past->load = path::load_of(nominal, static_cast<std::size_t>(pool - nominal.pools.begin()));
  }
  return reason;
}

}  // namespace

Result<SegmentBounds> segment_bounds(const TaskSet& task_set, const Segmentation& segments, PathSystem system, path::Refinement refinement,
                                     const path::Limits& limits, const Surpassed& surpassed) {
  const auto solve = [&](const path::System& of, const path::Limits& within) { return path::node_bounds(of, refinement, within); };
  if (!some_release_jitter(task_set)) return bounds_of(task_set, segments, std::move(system), refinement, limits, surpassed, solve);
  using Why = reason::CloserReleases::Why;
  auto late = with_release_jitter(system, task_set);
  const path::System nominal = late ? late->system : by_nominal_releases(system, task_set).system;
  auto sporadic = bounds_of(task_set, segments, std::move(system), refinement, limits, late ? Surpassed() : surpassed, solve);
  if (!late) return sporadic ? std::move(sporadic) : by_periods(sporadic.reason(), nominal, {.pool = {}, .why = Why::slices});

  auto counted = bounds_of(task_set, segments, std::move(*late), refinement, limits, {}, solve);
  if (sporadic && counted) return sum_of_loads(task_set, *sporadic) <= sum_of_loads(task_set, *counted) ? sporadic : counted;
  if (counted) return counted;
  if (sporadic) {
    if (auto limit = left_out_by(counted.reason(), with_jitter(refinement))) sporadic->left_out.push_back(*std::move(limit));
    return sporadic;
  }
  return counted;
}

Result<SegmentBounds> segment_bounds_in_parts(const TaskSet& task_set, const Segmentation& segments, PathSystem system, std::int64_t unit,
                                              path::Refinement refinement, const path::Limits& limits) {
  const auto solve = [&](const path::System& of, const path::Limits& within) { return path::node_bounds(of, refinement, within); };
  return bounds_of(task_set, segments, std::move(system), refinement, limits, {}, solve, unit);
}

PlainSegmentBounds plain_segment_bounds(const TaskSet& task_set, const Segmentation& segments, const PlatformWeights& weights,
                                        std::span<const Time> Y, bool goes_on, const path::Limits& limits) {
  PathSystem system = path_system(task_set, segments, weights, Y);
  if (with_release_jitter(system, task_set)) {
    return {segment_bounds(task_set, segments, std::move(system), path::Refinement::T10v, limits), false};
  }
  std::optional<path::System> nominal;
  if (some_release_jitter(task_set)) nominal = by_nominal_releases(system, task_set).system;
  bool late_is_same = false;
  path::Refinement by = path::Refinement::T10v;
  const auto solve = [&](const path::System& of, const path::Limits& within) {
    path::PlainBounds plain = path::plain_bounds(of, goes_on, within);
    late_is_same = plain.late_is_same;
    by = plain.by;
    return std::move(plain.bounds);
  };
  auto bounds = bounds_of(task_set, segments, std::move(system), path::Refinement::T10v, limits, {}, solve);
  if (bounds) bounds->refinement = by;
  if (!bounds && nominal) {
    return {by_periods(bounds.reason(), *nominal, {.pool = {}, .why = reason::CloserReleases::Why::slices}), late_is_same};
  }
  return {std::move(bounds), late_is_same};
}

}  // namespace rta::analysis
