// Which classes count other jobs on a GEL pool since ends of its users moved.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/path/system/table.hpp"
#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// For a node with b and its DAG's Y the i-th job of node u of DAG d counts where max(iT - J, 0) - F_u < x = min(b, Y - Y_d). If F_u goes
/// from one value to another, so that this moves between lo and hi, it counts as before unless lo < x <= hi: unless b or Y - Y_d is there.
/// So what a few moved ends mean for many classes is a question of their points and of a few intervals.
class MovedJobs {
 public:
  /// Nodes of `users` that have work on the pool; F is taken to be 0.
  MovedJobs(const Ticks& ticks, std::size_t pool);

  /// Takes the ends as they are now, ns: of these users, of which the others' have not moved. `last_point`: no b is above.
  void take(const std::vector<std::vector<std::int64_t>>& F, std::int64_t last_point, std::span<const std::size_t> users);
  /// Whether nodes of class k with `points`, which increase in b, may count other jobs than before the last `take`. Its own ends and points
  /// have to be the same.
  template <class Points>
  [[nodiscard]] bool concern(std::size_t k, const Points& points) const {
    if (all_ || level_moved_[first_above(levels_, ticks_.classes[k].Y) - 1]) return true;
    auto at = intervals_.begin();
    for (const auto& point : points) {
      at = std::ranges::lower_bound(at, intervals_.end(), point.b, {}, &Interval::hi);
      if (at == intervals_.end()) return false;
      if (at->lo < point.b) return true;
    }
    return false;
  }

 private:
  struct Node {
    std::size_t k = 0;
    std::uint32_t u = 0;
    std::int64_t F = 0;  // at the last `take`
  };
  struct Interval {  // of x, without lo
    std::int64_t lo = 0;
    std::int64_t hi = 0;
  };
  void move(const Node& node, std::int64_t to, std::int64_t last_point);
  void add_interval(const Class& c, std::int64_t lo, std::int64_t hi);
  void join();

  const Ticks& ticks_;
  std::vector<Node> nodes_;                 // user by user
  std::vector<std::size_t> first_node_;     // user -> its first in nodes_
  std::vector<std::int64_t> levels_;        // the users' different Y, increasing
  std::vector<std::int64_t> level_starts_;  // level -> intervals that begin there less those that have ended
  std::vector<bool> level_moved_;           // whether Y - Y_d is in an interval
  std::vector<Interval> intervals_;         // disjoint and increasing, of b
  bool all_ = false;                        // too many to look at
};

}  // namespace rta::analysis::path
