// The paths that decide T10, T10n and its refinements by count, summed node by node as the theorems state them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/path/derivation/aligned_derivation.hpp"
#include "analysis/path/derivation/counted_work.hpp"
#include "analysis/path/points/backlog.hpp"
#include "analysis/path/points/by_node.hpp"
#include "analysis/path/priority/by_priority.hpp"
#include "analysis/path/sliced/slices.hpp"
#include "analysis/path/system/over.hpp"
#include "analysis/path/system/ticks.hpp"
#include "rta/analysis/inequality.hpp"
#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

struct CountedPath {
  std::vector<std::size_t> path;  // nodes, source first
  FineTime total;
  CountedSum sum;
};

/// Of `last_pieces` and `after` the DAG's own part is less.
void add_backlog_terms(const Backlog& backlog, std::size_t pool, std::size_t k, FineTime last_pieces, std::vector<Term>& terms);

/// Of DAG k.
[[nodiscard]] Inequality as_inequality(std::size_t k, CountedPath counted);

class CountedPaths {
 public:
  CountedPaths(const System& system, const Ticks& ticks, const Ends& ends, std::size_t k, bool per_node)
      : system_(system),
        ticks_(ticks),
        ends_(ends),
        k_(k),
        c_(ticks.classes[ticks.class_of[k]]),
        counts_(system, ticks, ends, k, per_node) {}

  /// With each counted node.
  void list_nodes() { counts_.list_nodes(); }

  /// T10c on the pools that have an entry, where that is less.
  void carry(const std::vector<std::optional<BacklogPool>>& backlogs) { backlogs_ = &backlogs; }

  CountedPath solve(const std::vector<std::uint32_t>& last_nodes, const std::vector<bool>& below, const std::vector<bool>& above) const {
    Slots slots = counted(below, above);
    for (std::size_t slot = 0; slot < slots.waits.size() && backlogs_ != nullptr; ++slot) {
      slots.waiting[slot] = std::min(slots.waiting[slot], backlog_in(slot, slots.waits[slot], below, slots.waiting[slot]));
    }
    return longest(slots.waits, slots.waiting, blocked_lengths(), last_nodes);
  }

  /// What T10n counts, per slot.
  struct Slots {
    std::vector<Waiting> waits;
    std::vector<Tick> waiting;
  };
  Slots counted(const std::vector<bool>& below, const std::vector<bool>& above) const {
    Slots all{std::vector<Waiting>(c_.slot_pool.size()), std::vector<Tick>(c_.slot_pool.size())};
    for (std::size_t slot = 0; slot < all.waits.size(); ++slot) {
      all.waits[slot].pool = c_.pools[c_.slot_pool[slot]];
      all.waiting[slot] = counts_.work_in(slot, all.waits[slot], below, above, false);
    }
    return all;
  }

  /// T10p: along one path, where nodes in `not_counted` of its own job do not run meanwhile. Requires that nothing is non-preemptive.
  CountedPath along(std::vector<std::size_t> path, const std::vector<bool>& not_counted, const std::vector<bool>& above) const {
    const std::vector<Tick> length = static_lengths(c_);
    std::uint64_t mask = 0;
    Tick total;
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
      counted.reach.push_back(counts_.reached(i, system_.pools[c_.pools[i]].order, above));
      counted.ready.push_back(counts_.reached(i, Order::fifo, above));
    }
    for (std::size_t slot = 0; slot < c_.slot_pool.size(); ++slot) {
      Waiting wait;
      wait.pool = c_.pools[c_.slot_pool[slot]];
      const Order order = system_.pools[wait.pool].order;
      counted.own.push_back(counts_.work_in(slot, wait, below, above, order != Order::gel_by_node && !by_fixed_priority(order)));
    }
    return counted;
  }

 private:
  /// T10c: what may be left on the pool, where that is less than `counted`.
  Tick backlog_in(std::size_t slot, Waiting& wait, const std::vector<bool>& below, Tick counted) const {
    const auto& pool = (*backlogs_)[wait.pool];
    if (!pool || slot >= c_.pools.size()) return counted;
    const BacklogPool::Work work = pool->work(ticks_.class_of[k_]);
    Tick after;
    for (std::size_t u = 0; u < c_.size(); ++u) after += below[u] && c_.pool_of[u] == slot ? c_.vol[u] : Tick::zero();
    after = std::max(Tick::zero(), after - pool->rounding(ticks_.class_of[k_]));
    const Wide total = work.total - after.count();
    if (total >= counted.count()) return counted;
    Backlog backlog;
    backlog.carry = fine_ceil(work.carry, ticks_.Q);
    backlog.after = ticks_.fine_ns(after);
    backlog.busy = Time(work.busy);
    backlog.longer = work.longer;
    backlog.processors = work.processors;
    backlog.worked_off = FineTime(floor_div(checked_mul(work.worked_off, fine(Time(1)).count()), ticks_.Q));
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
    return Tick::narrow(total);
  }

  /// e - s per node, and Blk where nothing is preempted.
  std::vector<Tick> blocked_lengths() const {
    std::vector<Tick> length = static_lengths(c_);
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

  Tick blocking_of(const Pieces& pieces, std::size_t v) const {
    return blocking(ticks_, pieces, ticks_.class_of[k_], ends_.A(k_, v),
                    [&](std::size_t c, std::size_t u) { return ends_.F(ticks_.classes[c].dags.front(), u); });
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
      same->nodes.insert(same->nodes.end(), more.nodes.begin(), more.nodes.end());
    }
    std::ranges::sort(wait.jobs, {}, &CountedJobs::dag);
  }

  CountedPath longest(const std::vector<Waiting>& waits, const std::vector<Tick>& waiting, const std::vector<Tick>& length,
                      const std::vector<std::uint32_t>& last_nodes) const {
    if (!SlicedPaths::sliced_pools(c_, system_).empty()) return longest_sliced(waits, waiting, length, last_nodes);
    Class c = c_;
    set_pool_sets(c, length);
    Tick total = Tick::min();
    PoolSet decisive;
    std::uint32_t deciding = 0;
    for (const std::uint32_t v : last_nodes) {
      for (const PoolSet& set : c.pool_sets_of(v)) {
        const Tick length_of_set = longest_with_waiting(std::span(&set, 1), waiting);
        if (length_of_set <= total) continue;
        total = length_of_set;
        decisive = set;
        deciding = v;
      }
    }
    return told(path_over(c, deciding, length, decisive), decisive.mask, total, waits, waiting, length);
  }

  CountedPath told(std::vector<std::size_t> path, std::uint64_t mask, Tick total, const std::vector<Waiting>& waits,
                   const std::vector<Tick>& waiting, const std::vector<Tick>& length) const {
    CountedPath result;
    result.path = std::move(path);
    result.total = ticks_.fine_ns(total);
    add_waits(mask, waits, waiting, length, result);
    return result;
  }

  /// T14.
  CountedPath longest_sliced(const std::vector<Waiting>& waits, const std::vector<Tick>& waiting, const std::vector<Tick>& length,
                             const std::vector<std::uint32_t>& last_nodes) const {
    const SlicedPaths paths(ticks_, c_, length);
    std::int64_t longest = std::numeric_limits<std::int64_t>::min();  // ns
    std::size_t decisive = 0;
    std::uint32_t deciding = 0;
    for (const std::uint32_t v : last_nodes) {
      std::size_t set = 0;
      const std::int64_t bound = paths.right_hand_side(v, waiting, &set);
      if (bound <= longest) continue;
      longest = bound;
      decisive = set;
      deciding = v;
    }
    const SlicedSet& set = paths.set(deciding, decisive);
    CountedPath result;
    result.path = paths.path(deciding, decisive);
    result.total = ticks_.fine_ns(longest_with_waiting(std::span(&set.all, 1), waiting));
    add_waits(set.all.mask, waits, waiting, length, result);
    for (std::size_t i = 0; i < set.on.size(); ++i) {
      const OnSlices& on = set.on[i];
      if (on.nodes == 0) continue;
      const std::size_t local = paths.local()[i];
      const Wide X = Wide{on.length.count()} + waiting[local].count();
      const Slices& slices = *system_.pools[c_.pools[local]].slices;
      const Wide count = gaps_of(ticks_, on, X, slices);
      const auto wait = std::ranges::find(result.sum.waits, c_.pools[local], &Waiting::pool);
      wait->gaps = Gaps{on.nodes, fine_ceil(X, ticks_.Q), on.empty, count, slices.gap};
      result.total += FineTime(checked_mul(count, fine(slices.gap).count()));
    }
    return result;
  }

  void add_waits(std::uint64_t mask, const std::vector<Waiting>& waits, const std::vector<Tick>& waiting, const std::vector<Tick>& length,
                 CountedPath& result) const {
    for (std::size_t i = 0; i < c_.pools.size(); ++i) {
      if ((bit_of(i) & mask) == 0) continue;
      Waiting wait = waits[i];
      const Pool& pool = system_.pools[wait.pool];
      wait.capacity = checked_mul(Wide{pool.capacity}, pool.unit);
      Tick sum = waiting[i];
      for (std::size_t slot = c_.pools.size(); slot < waits.size(); ++slot) {
        if (c_.slot_pool[slot] != i || (bit_of(slot) & mask) == 0) continue;
        add_jobs_of(waits[slot], wait);
        sum += waiting[slot];
      }
      Tick blocked;
      for (const std::size_t u : result.path) {
        if (c_.pool_of[u] != i) continue;
        wait.last_pieces += system_.dags[k_].nodes[u].s;
        sum -= c_.s[u];
        const Tick Blk = length[u] - (c_.e[u] - c_.s[u]);
        blocked += Blk;
        if (Blk > Tick::zero()) wait.blocked.push_back({u, ticks_.fine_ns(Blk)});
      }
      wait.blocking = ticks_.fine_ns(blocked);
      wait.length = ticks_.fine_ns(sum + blocked);
      result.sum.waits.push_back(std::move(wait));
    }
    for (const std::size_t u : result.path) result.sum.execution += system_.dags[k_].nodes[u].e;
  }

  const System& system_;
  const Ticks& ticks_;
  const Ends& ends_;
  std::size_t k_;
  const Class& c_;
  CountedWork counts_;
  const std::vector<std::optional<BacklogPool>>* backlogs_ = nullptr;
};

}  // namespace rta::analysis::path
