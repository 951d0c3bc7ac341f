#include "analysis/path/finer_unit.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

using path::System;

constexpr std::size_t most_nodes = 2'000;
constexpr std::int64_t round = 1'000;        // ns
constexpr std::int64_t most_parts = 10'000;  // of a ns
constexpr std::size_t most_sums = 1'000'000;
constexpr std::size_t most_sweeps = 2'000;  // as where T10d is asked first

/// Whether all times are multiples of `round` ns, points too.
bool has_round_times(const System& system) {
  const auto is_round = [](Time t) { return t.count() % round == 0; };
  std::size_t nodes = 0;
  for (const path::Pool& pool : system.pools) {
    if (pool.slices && (!is_round(pool.slices->slice) || !is_round(pool.slices->gap))) return false;
  }
  for (const path::Dag& dag : system.dags) {
    nodes += dag.nodes.size();
    if (nodes > most_nodes || !is_round(dag.T) || !is_round(dag.J) || !is_round(dag.Y)) return false;
    const auto all_round = [&](const path::Node& node) { return is_round(node.e) && is_round(node.Y) && node.vol % round == 0; };
    if (!std::ranges::all_of(dag.nodes, all_round)) return false;
  }
  return true;
}

/// Which sums of an end and of how long something waits, F_u + lim, decide how many jobs count: lim is an end, a ready time, or a distance
/// of two points.
class Crossings {
 public:
  Crossings(const System& system, const PerNode<Time>& F) : system_(system) {
    std::set<std::int64_t> lim{0};
    std::set<std::int64_t> points;
    for (std::size_t d = 0; d < system.dags.size(); ++d) {
      points.insert(system.dags[d].Y.count());
      for (const Time end : F[d]) {
        ends_[system.dags[d].T.count()].insert(end.count());
        lim.insert(end.count());
      }
    }
    add_distances(points, lim);
    add_points_of_nodes(lim);
    lim_.assign(lim.begin(), lim.end());
  }

  /// Whether some sum is above a multiple of its DAG's period by less than a microsecond; not asked where there are too many.
  [[nodiscard]] bool any() const {
    if (too_many_ || lim_.size() * ends_.size() > most_sums) return false;
    for (const auto& [T, ends] : ends_) {
      std::vector<std::int64_t> past;  // the last multiple of T
      for (const std::int64_t end : ends) past.push_back(end % T);
      std::ranges::sort(past);
      for (const std::int64_t lim : lim_) {
        const std::int64_t least = ((1 - lim) % T + T) % T;  // past + lim one ns above a multiple
        const auto at = std::ranges::lower_bound(past, least);
        if (at != past.end() && *at < least + round) return true;
        if (least + round > T && past.front() < least + round - T) return true;
      }
    }
    return false;
  }

 private:
  void add_distances(const std::set<std::int64_t>& points, std::set<std::int64_t>& lim) {
    too_many_ = too_many_ || points.size() * points.size() > most_sums;
    if (too_many_) return;
    for (const std::int64_t a : points) {
      for (const std::int64_t b : points) lim.insert((Time(a) - Time(b)).count());
    }
  }

  void add_points_of_nodes(std::set<std::int64_t>& lim) {
    std::map<std::size_t, std::set<std::int64_t>> points;  // pool
    for (const path::Dag& dag : system_.dags) {
      for (const path::Node& node : dag.nodes) {
        if (system_.pools[node.pool].order == path::Order::gel_by_node) points[node.pool].insert(node.Y.count());
      }
    }
    for (const auto& [pool, all] : points) add_distances(all, lim);
  }

  const System& system_;
  std::map<std::int64_t, std::set<std::int64_t>> ends_;  // T -> F
  std::vector<std::int64_t> lim_;
  bool too_many_ = false;
};

/// A common multiple of the capacities, of as many as fit.
std::int64_t parts_of_a_ns(const System& system) {
  std::int64_t q = 1;
  for (const path::Pool& pool : system.pools) {
    const Wide capacity = checked_mul(Wide{pool.capacity}, pool.unit);
    if (capacity > most_parts) continue;
    const std::int64_t with = std::lcm(q, static_cast<std::int64_t>(capacity));
    if (with <= most_parts) q = with;
  }
  return q;
}

/// The same times in 1/q ns.
System in_parts(System system, std::int64_t q) {
  const auto scale = [q](Time& t) { t = t * q; };
  for (path::Pool& pool : system.pools) {
    if (pool.slices) {
      scale(pool.slices->slice);
      scale(pool.slices->gap);
    }
    if (pool.resident) pool.resident = checked_mul(*pool.resident, Wide{q});
  }
  for (path::Dag& dag : system.dags) {
    scale(dag.T);
    scale(dag.Y);
    scale(dag.J);
    for (path::Node& node : dag.nodes) {
      scale(node.e);
      scale(node.Y);
      node.s = checked_mul(node.s, Wide{q});
      node.vol = checked_mul(node.vol, Wide{q});
      if (node.proven) scale(*node.proven);
      if (node.alone) scale(*node.alone);
    }
  }
  return system;
}

/// Whether no node ends later, and some sooner by more than what is rounded.
bool is_below(const SegmentBounds& a, const SegmentBounds& b) {
  bool below = false;
  for (DagId d = 0; d < a.F.size(); ++d) {
    for (NodeId v = 0; v < a.F[d].size(); ++v) {
      if (a.F[d][v] > b.F[d][v]) return false;
      below = below || a.F[d][v] + Time(round) <= b.F[d][v];
    }
  }
  return below;
}

}  // namespace

SegmentBounds in_finer_unit(const TaskSet& task_set, SegmentBounds bounds, const path::Limits& limits) {
  const System& system = bounds.system.system;
  if (bounds.unit != 1 || bounds.bounds.support.empty() || !bounds.in_turn.empty() || !has_round_times(system)) return bounds;
  const std::int64_t q = parts_of_a_ns(system);
  if (q == 1) return bounds;
  path::Limits within = limits;
  within.sweeps = most_sweeps;
  within.wanted.clear();
  try {
    if (!Crossings(system, bounds.bounds.F).any()) return bounds;
    PathSystem finer = bounds.system;
    finer.system = in_parts(std::move(finer.system), q);
    auto found = segment_bounds_in_parts(task_set, bounds.segments, std::move(finer), q, bounds.refinement, within);
    if (found && is_below(*found, bounds)) return std::move(*found);
  } catch (const Overflow&) {  // times in 1/q ns have less room
  }
  return bounds;
}

}  // namespace rta::analysis
