// The inequalities of T10, T10n and T11 with their numbers, summed node by node as the theorems state them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/path/path_aligned_derivation.hpp"
#include "analysis/path/path_backlog.hpp"
#include "analysis/path/path_by_node.hpp"
#include "analysis/path/path_by_priority.hpp"
#include "analysis/path/path_over.hpp"
#include "analysis/path/path_release_jitter.hpp"
#include "analysis/path/path_slices.hpp"
#include "analysis/path/path_ticks.hpp"
#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

/// Bounds on the ends and ready times that the theorem counts with: T10 takes R of the DAG for both.
struct Ends {
  std::function<std::int64_t(std::size_t d, std::size_t u)> F;
  std::function<std::int64_t(std::size_t d, std::size_t u)> A;
};

class Inequality {
 public:
  Inequality(const System& system, const Ticks& ticks, const Ends& ends, std::size_t k, bool per_node)
      : system_(system), ticks_(ticks), ends_(ends), k_(k), per_node_(per_node), c_(ticks.classes[ticks.class_of[k]]) {}

  /// T10c on the pools that have an entry, where that is less.
  void carry(const std::vector<std::optional<BacklogPool>>& backlogs) { backlogs_ = &backlogs; }

  Derivation solve(const std::vector<std::uint32_t>& last_nodes, const std::vector<bool>& below, const std::vector<bool>& above) const {
    Slots slots = counted(below, above);
    for (std::size_t slot = 0; slot < slots.waits.size() && backlogs_ != nullptr; ++slot) {
      slots.waiting[slot] = std::min(slots.waiting[slot], backlog_in(slot, slots.waits[slot], below, slots.waiting[slot]));
    }
    return longest(slots.waits, slots.waiting, blocked_lengths(), last_nodes);
  }

  /// What T10n counts, per slot.
  struct Slots {
    std::vector<Waiting> waits;
    std::vector<std::int64_t> waiting;  // ticks
  };
  Slots counted(const std::vector<bool>& below, const std::vector<bool>& above) const {
    Slots all{std::vector<Waiting>(c_.slot_pool.size()), std::vector<std::int64_t>(c_.slot_pool.size(), 0)};
    for (std::size_t slot = 0; slot < all.waits.size(); ++slot) {
      all.waits[slot].pool = c_.pools[c_.slot_pool[slot]];
      all.waiting[slot] = work_in(slot, all.waits[slot], below, above, false);
    }
    return all;
  }

  /// T10p: along one path, where nodes in `not_counted` of its own job do not run meanwhile. Requires that nothing is non-preemptive.
  Derivation along(std::vector<std::size_t> path, const std::vector<bool>& not_counted, const std::vector<bool>& above) const {
    const std::vector<std::int64_t> length = static_lengths(c_);
    std::uint64_t mask = 0;
    std::int64_t total = 0;
    for (const std::size_t u : path) {
      mask |= c_.pays[u];
      total += length[u];
    }
    const Slots slots = counted(not_counted, above);
    for (std::size_t slot = 0; slot < slots.waits.size(); ++slot) {
      if ((mask & bit_of(slot)) != 0) total += slots.waiting[slot];
    }
    return told(std::move(path), mask, total, slots.waits, slots.waiting, length);
  }

  /// For T10a: one pool after the other, as `solve` counts.
  CountedByNode by_node(const std::vector<bool>& below, const std::vector<bool>& above) const {
    CountedByNode counted;
    counted.length = blocked_lengths();
    for (std::size_t i = 0; i < c_.pools.size(); ++i) {
      counted.reach.push_back(reached(i, system_.pools[c_.pools[i]].order, above));
      counted.ready.push_back(reached(i, Order::fifo, above));
    }
    for (std::size_t slot = 0; slot < c_.slot_pool.size(); ++slot) {
      Waiting wait;
      wait.pool = c_.pools[c_.slot_pool[slot]];
      const Order order = system_.pools[wait.pool].order;
      counted.own.push_back(work_in(slot, wait, below, above, order != Order::gel_by_node && !by_fixed_priority(order)));
    }
    return counted;
  }

 private:
  /// Adds to `wait` what a path pays for in the slot, ticks; `own`: of the DAG itself alone.
  std::int64_t work_in(std::size_t slot, Waiting& wait, const std::vector<bool>& below, const std::vector<bool>& above, bool own) const {
    const std::size_t local = c_.slot_pool[slot];
    const std::int64_t reach = reached(local, system_.pools[wait.pool].order, above);
    if (reach < 0) return 0;
    const Counting counting{slot, reach, last_starts(local, above), last_releases(local, above), below};
    std::int64_t work = 0;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      if (!own || d == k_) work += add_jobs(wait, d, counting);
    }
    return work;
  }

  /// T10c: what may be left on the pool, where that is less than `counted`.
  std::int64_t backlog_in(std::size_t slot, Waiting& wait, const std::vector<bool>& below, std::int64_t counted) const {
    const auto& pool = (*backlogs_)[wait.pool];
    if (!pool || slot >= c_.pools.size()) return counted;
    const BacklogPool::Work work = pool->work(ticks_.class_of[k_]);
    std::int64_t after = 0;
    for (std::size_t u = 0; u < c_.size(); ++u) after += below[u] && c_.pool_of[u] == slot ? c_.vol[u] : 0;
    after = std::max<std::int64_t>(0, after - pool->rounding(ticks_.class_of[k_]));
    if (work.total - after >= counted) return counted;
    Backlog backlog;
    backlog.carry = fine_ceil(work.carry, ticks_.Q);
    backlog.after = fine_ceil(after, ticks_.Q);
    const auto& users = ticks_.users[wait.pool];
    for (std::size_t i = 0; i < users.size(); ++i) {
      const Class& c = ticks_.classes[users[i]];
      for (const std::size_t d : c.dags) {
        const BacklogPool::Left& left = work.of_class[i];
        if (left.sum() > 0)
          backlog.parts.push_back({d, fine_ceil(left.before / c.copies, ticks_.Q), fine_ceil(left.since / c.copies, ticks_.Q)});
      }
    }
    std::ranges::sort(backlog.parts, {}, &Backlog::Part::dag);
    wait.jobs.clear();
    wait.backlog = std::move(backlog);
    return static_cast<std::int64_t>(work.total - after);
  }

  /// e - s per node, and Blk where nothing is preempted.
  std::vector<std::int64_t> blocked_lengths() const {
    std::vector<std::int64_t> length = static_lengths(c_);
    for (std::size_t i = 0; i < c_.pools.size(); ++i) {
      const Order order = system_.pools[c_.pools[i]].order;
      if (order == Order::gel_non_preemptive) {
        const Pieces pieces = blocking_pieces(ticks_, c_.pools[i]);
        for (std::size_t v = 0; v < c_.size(); ++v) {
          if (c_.pool_of[v] == i) length[v] += blocking_of(pieces, v);
        }
      } else if (is_non_preemptive(order)) {
        const PoolByPriority pool(ticks_, c_.pools[i], ticks_.class_of[k_]);
        const PoolByPriority::PerClass F = ends_of_classes();
        for (std::size_t v = 0; v < c_.size(); ++v) {
          if (c_.pool_of[v] == i) length[v] += pool.blocking(ticks_.class_of[k_], v, ends_.A(k_, v), F);
        }
      }
    }
    return length;
  }

  PoolByPriority::PerClass ends_of_classes() const {
    PoolByPriority::PerClass F;
    for (const Class& c : ticks_.classes) {
      auto& row = F.emplace_back();
      for (std::size_t u = 0; u < c.size(); ++u) row.push_back(ends_.F(c.dags.front(), u));
    }
    return F;
  }

  std::int64_t blocking_of(const Pieces& pieces, std::size_t v) const {
    return blocking(ticks_, pieces, ticks_.class_of[k_], ends_.A(k_, v),
                    [&](std::size_t c, std::size_t u) { return ends_.F(ticks_.classes[c].dags.front(), u); });
  }

  /// a or b of the theorem; -1 where no such node is on the pool.
  std::int64_t reached(std::size_t local, Order order, const std::vector<bool>& above) const {
    std::int64_t reach = -1;
    for (std::size_t q = 0; q < c_.size(); ++q) {
      if (above[q] && c_.pool_of[q] == local) reach = std::max(reach, order == Order::fifo ? ends_.A(k_, q) : ends_.F(k_, q));
    }
    return reach;
  }

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

  /// T12's count.
  Wide late_jobs(std::size_t d, std::size_t u, const Counting& counting, Order order) const {
    const Dag& dag = system_.dags[d];
    std::int64_t lim = counting.reach;
    if (by_fixed_priority(order)) {
      lim = last_release(counting.last, c_.slot_pool[counting.slot], dag.nodes[u].priority);
      if (lim < 0) return 0;
    } else if (order == Order::gel_by_node) {
      lim = counting.starts.lim(dag.nodes[u].Y.count());
    } else if (order != Order::fifo) {
      lim = d == k_ ? 0 : std::min(counting.reach, (system_.dags[k_].Y - dag.Y).count());
    }
    const std::int64_t F = ends_.F(d, u);
    if (d == k_) return own_late_jobs(lim, F, dag.T.count(), dag.J.count(), counting.below[u]);
    return late_jobs_in(F + lim, dag.T.count(), dag.J.count());
  }

  Wide jobs(std::size_t d, std::size_t u, const Counting& counting) const {
    const std::size_t local = c_.slot_pool[counting.slot];
    const Order order = system_.pools[c_.pools[local]].order;
    if (system_.dags[d].J > Time::zero()) return late_jobs(d, u, counting, order);
    const auto& [slot, reach, starts, last, below] = counting;
    const std::int64_t T = system_.dags[d].T.count();
    const std::int64_t F = ends_.F(d, u);
    if (by_fixed_priority(order)) {
      const std::int64_t lim = last_release(last, local, system_.dags[d].nodes[u].priority);
      if (lim < 0) return 0;
      return d == k_ ? own_jobs_by_priority(lim, F, T, below[u]) : jobs_in(F + lim, T);
    }
    if (order == Order::gel_by_node) {
      const std::int64_t lim = starts.lim(system_.dags[d].nodes[u].Y.count());
      return d == k_ ? own_jobs(lim, F, T, below[u]) : jobs_in(F + lim, T);
    }
    if (order != Order::fifo) {
      if (d == k_) return std::max<Wide>(0, ceil_div(F, T) - (below[u] ? 1 : 0));
      const Wide lead = Wide{system_.dags[k_].Y.count()} - system_.dags[d].Y.count();
      return std::max<Wide>(0, ceil_div(F + std::min<Wide>(reach, lead), T));
    }
    if (d != k_) return ceil_div(Wide{F} + reach, T);
    if (!per_node_) return ceil_div(F, T) + floor_div(reach, T);
    return (below[u] ? 0 : 1) + std::max<Wide>(0, ceil_div(F, T) - 1) + floor_div(reach, T);
  }

  std::int64_t add_jobs(Waiting& wait, std::size_t d, const Counting& counting) const {
    const Dag& dag = system_.dags[d];
    const Class& c = ticks_.classes[ticks_.class_of[d]];
    CountedJobs counted{d, 0, 0, 0};
    std::int64_t sum = 0;
    bool first = true;
    for (std::size_t u = 0; u < dag.nodes.size(); ++u) {
      if (dag.nodes[u].pool != wait.pool || dag.nodes[u].vol == 0 || !is_in(dag.nodes[u], counting.slot)) continue;
      const Wide n = jobs(d, u, counting);
      counted.least = first ? n : std::min(counted.least, n);
      counted.most = std::max(counted.most, n);
      counted.work += n * dag.nodes[u].vol;
      sum += static_cast<std::int64_t>(n) * c.vol[u];
      first = false;
    }
    if (!first) wait.jobs.push_back(counted);
    return sum;
  }

  /// Jobs of a further slot of the same pool.
  static void add_jobs_of(const Waiting& slot, Waiting& wait) {
    for (const CountedJobs& more : slot.jobs) {
      const auto same = std::ranges::find(wait.jobs, more.dag, &CountedJobs::dag);
      if (same == wait.jobs.end()) {
        wait.jobs.push_back(more);
        continue;
      }
      same->least = std::min(same->least, more.least);
      same->most = std::max(same->most, more.most);
      same->work += more.work;
    }
    std::ranges::sort(wait.jobs, {}, &CountedJobs::dag);
  }

  Derivation longest(const std::vector<Waiting>& waits, const std::vector<std::int64_t>& waiting, const std::vector<std::int64_t>& length,
                     const std::vector<std::uint32_t>& last_nodes) const {
    if (!SlicedPaths::sliced_pools(c_, system_).empty()) return longest_sliced(waits, waiting, length, last_nodes);
    Class c = c_;
    set_pool_sets(c, length);
    std::int64_t total = std::numeric_limits<std::int64_t>::min();
    PoolSet decisive;
    std::uint32_t deciding = 0;
    for (const std::uint32_t v : last_nodes) {
      for (const PoolSet& set : c.pool_sets_of(v)) {
        const std::int64_t length_of_set = longest_with_waiting(std::span(&set, 1), waiting);
        if (length_of_set <= total) continue;
        total = length_of_set;
        decisive = set;
        deciding = v;
      }
    }
    return told(path_over(c, deciding, length, decisive), decisive.mask, total, waits, waiting, length);
  }

  Derivation told(std::vector<std::size_t> path, std::uint64_t mask, std::int64_t total, const std::vector<Waiting>& waits,
                  const std::vector<std::int64_t>& waiting, const std::vector<std::int64_t>& length) const {
    Derivation result;
    result.path = std::move(path);
    result.total = fine_ceil(total, ticks_.Q);
    add_waits(mask, waits, waiting, length, result);
    return result;
  }

  /// T14.
  Derivation longest_sliced(const std::vector<Waiting>& waits, const std::vector<std::int64_t>& waiting,
                            const std::vector<std::int64_t>& length, const std::vector<std::uint32_t>& last_nodes) const {
    const SlicedPaths paths(c_, system_, ticks_.Q, length);
    std::int64_t total = std::numeric_limits<std::int64_t>::min();
    std::size_t decisive = 0;
    std::uint32_t deciding = 0;
    for (const std::uint32_t v : last_nodes) {
      std::size_t set = 0;
      const std::int64_t bound = paths.right_hand_side(v, waiting, &set);
      if (bound <= total) continue;
      total = bound;
      decisive = set;
      deciding = v;
    }
    const SlicedSet& set = paths.set(deciding, decisive);
    Derivation result;
    result.path = paths.path(deciding, decisive);
    result.total = fine_ceil(longest_with_waiting(std::span(&set.all, 1), waiting), ticks_.Q);
    add_waits(set.all.mask, waits, waiting, length, result);
    for (std::size_t i = 0; i < set.on.size(); ++i) {
      const OnSlices& on = set.on[i];
      if (on.nodes == 0) continue;
      const std::size_t local = paths.local()[i];
      const Wide X = Wide{on.length} + waiting[local];
      const Slices& slices = *system_.pools[c_.pools[local]].slices;
      const Wide count = gaps_of(on, X, slices, ticks_.Q);
      const auto wait = std::ranges::find(result.waits, c_.pools[local], &Waiting::pool);
      wait->gaps = Gaps{on.nodes, fine_ceil(X, ticks_.Q), on.empty, count, slices.gap};
      result.total += FineTime(checked_mul(count, fine(slices.gap).count()));
    }
    return result;
  }

  void add_waits(std::uint64_t mask, const std::vector<Waiting>& waits, const std::vector<std::int64_t>& waiting,
                 const std::vector<std::int64_t>& length, Derivation& result) const {
    for (std::size_t i = 0; i < c_.pools.size(); ++i) {
      if ((bit_of(i) & mask) == 0) continue;
      Waiting wait = waits[i];
      std::int64_t sum = waiting[i];
      for (std::size_t slot = c_.pools.size(); slot < waits.size(); ++slot) {
        if (c_.slot_pool[slot] != i || (bit_of(slot) & mask) == 0) continue;
        add_jobs_of(waits[slot], wait);
        sum += waiting[slot];
      }
      std::int64_t blocked = 0;
      for (const std::size_t u : result.path) {
        if (c_.pool_of[u] != i) continue;
        wait.last_pieces += system_.dags[k_].nodes[u].s;
        sum -= c_.s[u];
        const std::int64_t Blk = length[u] - (c_.e[u] - c_.s[u]);
        blocked += Blk;
        if (Blk > 0) wait.blocked.push_back({u, fine_ceil(Blk, ticks_.Q)});
      }
      wait.blocking = fine_ceil(blocked, ticks_.Q);
      wait.length = fine_ceil(sum + blocked, ticks_.Q);
      result.waits.push_back(std::move(wait));
    }
    for (const std::size_t u : result.path) result.execution += system_.dags[k_].nodes[u].e;
  }

  const System& system_;
  const Ticks& ticks_;
  const Ends& ends_;
  std::size_t k_;
  bool per_node_;
  const Class& c_;
  const std::vector<std::optional<BacklogPool>>* backlogs_ = nullptr;
};

}  // namespace rta::analysis::path
