// The work of the jobs that a path pays for on a pool, node by node as T10, T10n, T11 and T12 count them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "analysis/path/points/by_node.hpp"
#include "analysis/path/priority/by_priority.hpp"
#include "analysis/path/system/late_jobs.hpp"
#include "analysis/path/system/ticks.hpp"
#include "rta/analysis/path/path.hpp"
#include "rta/analysis/path/sums.hpp"

namespace rta::analysis::path {

/// Bounds on the ends and ready times that the theorem counts with: T10 takes R of the DAG for both.
struct Ends {
  std::function<std::int64_t(std::size_t d, std::size_t u)> F;
  std::function<std::int64_t(std::size_t d, std::size_t u)> A;
};

class CountedWork {
 public:
  CountedWork(const System& system, const Ticks& ticks, const Ends& ends, std::size_t k, bool per_node)
      : system_(system), ticks_(ticks), ends_(ends), k_(k), per_node_(per_node), c_(ticks.classes[ticks.class_of[k]]) {}

  /// Each node with its jobs, too.
  void list_nodes() { lists_nodes_ = true; }

  /// Adds to `wait` what a path pays for in the slot; `own`: of the DAG itself alone.
  Tick work_in(std::size_t slot, Waiting& wait, const std::vector<bool>& below, const std::vector<bool>& above, bool own) const {
    const std::size_t local = c_.slot_pool[slot];
    const std::int64_t reach = reached(local, system_.pools[wait.pool].order, above);
    wait.reach = reach;
    if (reach < 0) return Tick::zero();
    const Counting counting{slot, reach, last_starts(local, above), last_releases(local, above), below};
    Tick work;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      if (!own || d == k_) work += add_jobs(wait, d, counting);
    }
    return work;
  }

  /// a or b of the theorem; -1 where no such node is on the pool.
  std::int64_t reached(std::size_t local, Order order, const std::vector<bool>& above) const {
    std::int64_t reach = -1;
    for (std::size_t q = 0; q < c_.size(); ++q) {
      if (above[q] && c_.pool_of[q] == local) reach = std::max(reach, order == Order::fifo ? ends_.A(k_, q) : ends_.F(k_, q));
    }
    return reach;
  }

 private:
  /// For pools ordered by node.
  LastStarts last_starts(std::size_t local, const std::vector<bool>& above) const {
    LastStarts starts;
    for (std::size_t q = 0; q < c_.size(); ++q) {
      if (above[q] && c_.pool_of[q] == local) starts.add(ends_.F(k_, q), c_.point[q]);
    }
    return starts;
  }

  /// T11's lim_u for u of a level's priority, and of priorities between this and the next; -1: the path waits for nothing so urgent.
  struct Last {
    std::int64_t equal = -1;
    std::int64_t higher = -1;
  };

  /// What the jobs that a path pays for in a slot are counted by.
  struct Counting {
    std::size_t slot = 0;
    std::int64_t reach = 0;  // a or b
    LastStarts starts;       // on pools ordered by node
    std::vector<Last> last;  // under fixed priorities, per level of the DAG
    const std::vector<bool>& below;
  };

  /// For pools under fixed priorities.
  std::vector<Last> last_releases(std::size_t local, const std::vector<bool>& above) const {
    const Levels& levels = c_.levels[local];
    std::vector<Last> last(levels.priority.size());
    for (std::size_t q = 0; q < c_.size() && !last.empty(); ++q) {
      if (!above[q] || c_.pool_of[q] != local) continue;
      const std::int64_t end = ends_.F(k_, q);
      const std::int64_t of_equals = system_.pools[c_.pools[local]].equals_any ? end : ends_.A(k_, q);
      for (std::size_t level = 0; level < last.size(); ++level) {
        if (levels.priority[level] < c_.priority[q]) continue;
        last[level].higher = std::max(last[level].higher, end);
        last[level].equal = std::max(last[level].equal, levels.priority[level] == c_.priority[q] ? of_equals : end);
      }
    }
    return last;
  }

  std::int64_t last_release(const std::vector<Last>& last, std::size_t local, std::uint32_t of) const {
    const auto& priorities = c_.levels[local].priority;
    const auto above = std::ranges::upper_bound(priorities, of);
    if (above == priorities.begin()) return -1;
    const Last& level = last[static_cast<std::size_t>(above - priorities.begin()) - 1];
    return *(above - 1) == of ? level.equal : level.higher;
  }

  /// Whether node u is part of what is paid for in the slot.
  bool is_in(const Node& u, std::size_t slot) const {
    const Levels& levels = c_.levels[c_.slot_pool[slot]];
    if (levels.slot.empty()) return true;
    const auto level = static_cast<std::size_t>(std::ranges::find(levels.slot, slot) - levels.slot.begin());
    return u.priority >= levels.priority[level] && (level + 1 == levels.slot.size() || u.priority < levels.priority[level + 1]);
  }

  /// lim_u: jobs released up to so long after the job in question count; under fixed priorities below 0 where none is so urgent.
  Wide last_release(std::size_t d, std::size_t u, const Counting& counting, Order order) const {
    const Dag& dag = system_.dags[d];
    if (by_fixed_priority(order)) return last_release(counting.last, c_.slot_pool[counting.slot], dag.nodes[u].priority);
    if (order == Order::gel_by_node) return counting.starts.lim(dag.nodes[u].Y.count());
    if (order == Order::fifo) return counting.reach;
    return d == k_ ? Wide{0} : std::min<Wide>(counting.reach, Wide{system_.dags[k_].Y.count()} - dag.Y.count());
  }

  /// n_u, given lim_u.
  Wide jobs(std::size_t d, std::size_t u, const Counting& counting, Order order, Wide last) const {
    if (by_fixed_priority(order) && last < 0) return 0;
    const std::int64_t T = system_.dags[d].T.count();
    const std::int64_t J = system_.dags[d].J.count();
    const std::int64_t F = ends_.F(d, u);
    if (d != k_) return F + last <= 0 ? 0 : ceil_div(F + last + J, T);
    const bool waits = counting.below[u];
    const auto lim = static_cast<std::int64_t>(last);
    if (J > 0) return own_late_jobs(lim, F, T, J, waits);  // T12
    if (by_fixed_priority(order)) return own_jobs_by_priority(lim, F, T, waits);
    if (order == Order::gel_by_node) return own_jobs(lim, F, T, waits);
    if (order != Order::fifo) return std::max<Wide>(0, ceil_div(F, T) - (waits ? 1 : 0));
    if (!per_node_) return ceil_div(F, T) + floor_div(lim, T);
    return (waits ? 0 : 1) + std::max<Wide>(0, ceil_div(F, T) - 1) + floor_div(lim, T);
  }

  Tick add_jobs(Waiting& wait, std::size_t d, const Counting& counting) const {
    const Dag& dag = system_.dags[d];
    const Class& c = ticks_.classes[ticks_.class_of[d]];
    const Order order = system_.pools[wait.pool].order;
    CountedJobs counted{.dag = d};
    Tick sum;
    bool first = true;
    for (std::size_t u = 0; u < dag.nodes.size(); ++u) {
      if (dag.nodes[u].pool != wait.pool || dag.nodes[u].vol == 0 || !is_in(dag.nodes[u], counting.slot)) continue;
      const Wide lim = last_release(d, u, counting, order);
      const Wide n = jobs(d, u, counting, order, lim);
      if (lists_nodes_) counted.nodes.push_back({u, lim, n, d == k_ && counting.below[u]});
      counted.least = first ? n : std::min(counted.least, n);
      counted.most = std::max(counted.most, n);
      counted.work += n * dag.nodes[u].vol;
      sum += static_cast<std::int64_t>(n) * c.vol[u];
      first = false;
    }
    if (!first) wait.jobs.push_back(std::move(counted));
    return sum;
  }

  const System& system_;
  const Ticks& ticks_;
  const Ends& ends_;
  std::size_t k_;
  bool per_node_;
  bool lists_nodes_ = false;
  const Class& c_;
};

}  // namespace rta::analysis::path
