// T12, T12j, T12d, T12w and T12m solved node by node over the counts that explain bounds: slow, and apart from the product's search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/path/derivation/counted_work.hpp"
#include "analysis/path/fitting/fitting.hpp"
#include "analysis/path/late/jitter.hpp"
#include "analysis/path/late/late.hpp"
#include "analysis/path/late/since_nominal.hpp"
#include "analysis/path/priority/urgent.hpp"
#include "analysis/path/system/lent_ends.hpp"
#include "analysis/path/system/upward_grid.hpp"
#include "analysis/path/wanted_ends.hpp"
#include "analysis/path/whole/whole.hpp"
#include "rta/model/error.hpp"

namespace rta::test::late_releases {

using namespace analysis::path;
using analysis::Reason;
using analysis::Result;
using analysis::path::Dag;
using analysis::path::Pool;
namespace reason = analysis::reason;

/// T12j: T10j, T10g and T11j where releases are late.
class LateSums {
 public:
  LateSums(const Ticks& ticks, Refinement refinement);

  /// Takes the ends and ready times to count with, since the releases.
  void prepare(const EndsOfClasses& F, const EndsOfClasses& A);
  /// The right-hand side for node v of class k, which is ready by A, ns; `no_bound` where none applies, perhaps where it is no less than
  /// `below`.
  [[nodiscard]] std::int64_t bound(std::size_t k, std::size_t v, std::int64_t A, std::int64_t below) const;

 private:
  struct Sums {
    std::optional<JitterPool> fifo;
    std::optional<LatePool> gel;
    std::optional<UrgentPool> urgent;
    Tick left;  // the carry, on FIFO pools with the work
  };
  const Ticks& ticks_;
  std::vector<Sums> of_pool_;
};

inline LateSums::LateSums(const Ticks& ticks, Refinement refinement) : ticks_(ticks), of_pool_(ticks.system->pools.size()) {
  constexpr std::int64_t most_periods = 1'000;  // later releases are more jobs than sums have room for
  if (std::ranges::any_of(ticks.system->dags, [](const Dag& dag) { return dag.J.count() / dag.T.count() > most_periods; })) return;
  for (std::size_t p = 0; p < of_pool_.size(); ++p) {
    const Pool& pool = ticks.system->pools[p];
    if (ticks.users[p].empty() || pool.slices) continue;
    const bool gel = pool.order == Order::gel || pool.order == Order::gel_by_node;
    if (pool.order == Order::fifo && refinement >= Refinement::T10j) of_pool_[p].fifo.emplace(ticks, p);
    if (gel && refinement >= Refinement::T10g) of_pool_[p].gel.emplace(ticks, p);
    if (pool.order == Order::fixed && refinement >= Refinement::T10g) of_pool_[p].urgent.emplace(ticks, p);
  }
}

inline void LateSums::prepare(const EndsOfClasses& F, const EndsOfClasses& A) {
  const EndsOfClasses ends = since_nominal(ticks_, F);
  const EndsOfClasses ready = since_nominal(ticks_, A);
  for (Sums& sums : of_pool_) {
    if (sums.fifo) sums.left = sums.fifo->backlog(ends, ready);
    if (sums.gel) {
      sums.left = sums.gel->carry(ends);
      sums.gel->set_ready_times(ready);
    }
    if (sums.urgent) sums.urgent->prepare(ends, ready);
  }
}

inline std::int64_t LateSums::bound(std::size_t k, std::size_t v, std::int64_t A, std::int64_t below) const {
  const Class& c = ticks_.classes[k];
  const Sums& sums = of_pool_[c.pools[c.pool_of[v]]];
  if (sums.urgent) {
    const auto demand = sums.urgent->demand(k, v);
    const std::int64_t bound = demand ? A + demand->total() : no_bound;
    const auto busy = sums.urgent->busy(k, v, std::min(bound, below) - A);
    return busy ? A + busy->length : bound;
  }
  if (!sums.fifo && !sums.gel) return no_bound;
  const Tick demand = sums.gel ? sums.gel->demand(k, v, A) : Tick::zero();
  return demand == unbounded ? no_bound : A + ticks_.ns(sums.left + demand - c.s[v] + c.e[v]);
}

/// Per node: itself and those before it, and those after it.
struct Lineage {
  std::vector<std::vector<bool>> above, below;

  explicit Lineage(const Class& c)
      : above(c.size(), std::vector<bool>(c.size(), false)), below(c.size(), std::vector<bool>(c.size(), false)) {
    for (const std::uint32_t v : c.order) {
      above[v][v] = true;
      for (const std::uint32_t w : c.predecessors(v)) {
        for (std::size_t u = 0; u < c.size(); ++u) above[v][u] = above[v][u] || above[w][u];
      }
      for (std::size_t u = 0; u < c.size(); ++u) {
        if (u != v && above[v][u]) below[u][v] = true;
      }
    }
  }
};

class LateReleases {
 public:
  LateReleases(const System& system, Refinement refinement, const Limits& limits)
      : system_(system),
        ticks_(to_ticks(system, limits, false)),
        late_(ticks_, refinement),
        grid_(upward_grid(ticks_, rules_of(refinement))),
        monotone_(refinement < Refinement::T10g),
        fits_(refinement == Refinement::T10w && FittingPaths::affordable(ticks_)),
        ends_{[this](std::size_t d, std::size_t u) { return F_[ticks_.class_of[d]][u]; },
              [this](std::size_t d, std::size_t u) { return A_[ticks_.class_of[d]][u]; }} {
    for (const Class& c : ticks_.classes) {
      relations_.emplace_back(c);
      F_.push_back(c.longest);
      A_.emplace_back(c.size(), 0);
    }
    const bool wanted = refinement == Refinement::T10d && !limits.wanted.empty() && FittingPaths::affordable(ticks_);
    if (wanted) wanted_ = WantedEnds(ticks_, limits.wanted);
    if (wanted || fits_) fitting_.emplace(ticks_);
    const bool preemptive = std::ranges::none_of(system.pools, [](const Pool& pool) { return is_non_preemptive(pool.order); });
    if (refinement == Refinement::T10d && preemptive) set_whole();
  }

  /// The least solution, or one that is found soon from there.
  std::optional<Reason> solve(const Limits& limits) {
    std::size_t sweeps = 0;
    for (bool changed = true; changed || some_likely_;) {
      const bool likely = changed;
      some_likely_ = false;
      changed = false;
      if (limits.stop && limits.stop()) return reason::Stopped{};
      if (sweeps++ == limits.sweeps) return reason::StillGrows{limits.sweeps, false};
      prepare();
      for (std::size_t k = 0; k < ticks_.classes.size(); ++k) {
        for (const std::uint32_t v : ticks_.classes[k].order) {
          A_[k][v] = ready_time(k, v);
          const std::int64_t next = right_hand_side(k, v, grid_, {F_[k][v], likely});
          if (next <= F_[k][v]) continue;
          set_end(k, v, next);
          changed = true;
          if (next > ticks_.classes[k].limit) return past_limit(ticks_, k, ticks_.classes[k].pools.front(), limits);
        }
      }
    }
    if (grid_ > 1) settle();
    return std::nullopt;
  }

  /// Of a solution.
  [[nodiscard]] NodeBounds bounds() {
    prepare();
    std::vector<std::vector<Support>> supports;
    for (std::size_t k = 0; k < F_.size(); ++k) {
      auto& support = supports.emplace_back();
      for (std::uint32_t v = 0; v < F_[k].size(); ++v) support.push_back(support_of(k, v));
    }
    EndsOfClasses ends = F_;
    lend_ends(ticks_, ends, [&](std::size_t k, std::size_t v) { supports[k][v] = Support::successor; });
    NodeBounds result;
    for (const std::size_t k : ticks_.class_of) {
      auto& F = result.F.emplace_back();
      for (const std::int64_t end : ends[k]) F.emplace_back(end);
      result.support.push_back(supports[k]);
      Time R;
      for (const std::uint32_t v : ticks_.classes[k].sinks) R = std::max(R, F[v]);
      result.R.push_back(R);
    }
    return result;
  }

 private:
  void set_whole() {
    for (const Class& c : ticks_.classes) {
      auto& parallel = parallel_.emplace_back();
      if (ParallelPaths::applies(c, system_)) parallel.emplace(c, system_);
    }
    whole_.emplace(ticks_, parallel_);
  }

  void prepare() {
    for (std::size_t k = 0; k < ticks_.classes.size(); ++k) {
      for (const std::uint32_t v : ticks_.classes[k].order) A_[k][v] = ready_time(k, v);
    }
    late_.prepare(F_, A_);
    if (whole_) whole_->prepare({F_, A_});
  }

  void set_end(std::size_t k, std::uint32_t v, std::int64_t end) {
    F_[k][v] = end;
    if (whole_) whole_->changed(k);
  }

  [[nodiscard]] std::int64_t ready_time(std::size_t k, std::uint32_t v) const {
    std::int64_t A = 0;
    for (const std::uint32_t w : ticks_.classes[k].predecessors(v)) A = std::max(A, F_[k][w]);
    return A;
  }

  /// T12's, per slot.
  [[nodiscard]] std::vector<Tick> counted_work(std::size_t k, std::uint32_t v) const {
    const Class& c = ticks_.classes[k];
    const CountedWork counts(system_, ticks_, ends_, c.dags.front(), true);
    std::vector<Tick> waiting;
    for (std::size_t slot = 0; slot < c.slot_pool.size(); ++slot) {
      Waiting wait;
      wait.pool = c.pools[c.slot_pool[slot]];
      waiting.push_back(counts.work_in(slot, wait, relations_[k].below[v], relations_[k].above[v], false));
    }
    return waiting;
  }

  /// T12, ns.
  [[nodiscard]] std::int64_t counted(std::size_t k, std::uint32_t v) const {
    Class c = ticks_.classes[k];
    set_pool_sets(c, blocked_lengths(k));
    return ticks_.ns(longest_with_waiting(c.pool_sets_of(v), counted_work(k, v)));
  }

  /// e - s per node, and Blk where nothing is preempted.
  [[nodiscard]] std::vector<Tick> blocked_lengths(std::size_t k) const {
    const Class& c = ticks_.classes[k];
    std::vector<Tick> length = static_lengths(c);
    for (std::size_t v = 0; v < c.size(); ++v) {
      const std::size_t p = c.pools[c.pool_of[v]];
      const Order order = system_.pools[p].order;
      if (!is_non_preemptive(order)) continue;
      const auto end = [&](std::size_t d, std::size_t u) { return F_[d][u]; };
      length[v] += by_fixed_priority(order) ? PoolByPriority(ticks_, p, k).blocking(k, v, A_[k][v], F_)
                                            : blocking(ticks_, blocking_pieces(ticks_, p), k, A_[k][v], end);
    }
    return length;
  }

  struct FromBelow {
    std::int64_t enough = 0;  // what is no more may be anything up to it
    bool likely = false;      // T12w and T12m may say less, by likely phases alone
  };

  /// The least of T12, T12j, T12d, T12w and T12m, all but the first up to a multiple of `grid`.
  [[nodiscard]] std::int64_t right_hand_side(std::size_t k, std::uint32_t v, std::int64_t grid, const FromBelow& from) const {
    const auto up = [&](std::int64_t bound) { return bound == no_bound ? no_bound : ceil_to(bound, grid); };
    const std::int64_t late = late_.bound(k, v, A_[k][v], no_bound);
    if (late <= from.enough) return late;
    std::int64_t bound = std::min(up(late), counted(k, v));
    if (bound > from.enough) bound = std::min(bound, up(whole(k, v, from)));
    if (bound > from.enough && asks_fitting(k, v, bound)) bound = std::min(bound, up(fitting(k, v, from)));
    return bound > from.enough && fits_ ? std::min(bound, up(family(k, v, from, bound))) : bound;
  }

  /// T12d, ns; from below no less than the least solution for the node alone is known to be.
  [[nodiscard]] std::int64_t whole(std::size_t k, std::uint32_t v, const FromBelow& from) const {
    if (!whole_ || !whole_->applies(k)) return no_bound;
    const WholePaths::Decisive decisive = whole_->decisive(k, v, {F_, A_}, counted_work(k, v));
    const std::int64_t bound = ticks_.ns(decisive.total);
    const bool from_below = from.enough > 0 && from.enough == F_[k][v] && bound > from.enough;
    return from_below ? std::max(bound, from.enough + decisive.beyond) : bound;
  }

  [[nodiscard]] bool asks_fitting(std::size_t k, std::uint32_t v, std::int64_t bound) const {
    return fits_ || wanted_.asks(k, v, bound, F_[k][v]);
  }

  /// T12w, ns.
  [[nodiscard]] std::int64_t fitting(std::size_t k, std::uint32_t v, const FromBelow& from) const {
    if (!fitting_->applies(k)) return no_bound;
    some_likely_ = some_likely_ || from.likely;
    const Tick total = fitting_->decisive(k, v, {F_, A_, from.enough, from.likely}, counted_work(k, v)).total;
    return total == unbounded ? no_bound : ticks_.ns(total);
  }

  /// T12m, ns; `no_bound` where it is no less than `below`.
  [[nodiscard]] std::int64_t family(std::size_t k, std::uint32_t v, const FromBelow& from, std::int64_t below) const {
    if (!fitting_->applies(k)) return no_bound;
    some_likely_ = some_likely_ || from.likely;
    const Tick total = fitting_->family(k, v, {F_, A_, from.enough, from.likely}, below).total;
    return total == unbounded ? no_bound : ticks_.ns(total);
  }

  /// Of a solution.
  [[nodiscard]] Support support_of(std::size_t k, std::uint32_t v) const {
    const std::int64_t F = F_[k][v];
    if (F >= counted(k, v)) return waits_by_priority(k, v) ? Support::fixed : Support::path;
    if (F >= late_.bound(k, v, A_[k][v], no_bound)) return Support::late;
    if (F >= whole(k, v, {})) return Support::whole;
    require(fitting_.has_value(), "every end is at least its right-hand side");
    return F >= fitting(k, v, {F, false}) ? Support::fitting : Support::families;
  }

  /// From a solution downwards every iterate is one, but for the rounding of T10g's terms.
  void settle() {
    constexpr int most_rounds = 64;
    const EndsOfClasses solution = F_;
    bool changed = true;
    for (int round = 0; round < most_rounds && changed; ++round) changed = lower();
    if (monotone_ || holds()) return;
    F_ = solution;
    for (std::size_t k = 0; k < F_.size() && whole_; ++k) whole_->changed(k);
  }

  bool lower() {
    bool changed = false;
    prepare();
    for (std::size_t k = 0; k < ticks_.classes.size(); ++k) {
      for (const std::uint32_t v : ticks_.classes[k].order) {
        A_[k][v] = ready_time(k, v);
        const std::int64_t next = std::max(ticks_.classes[k].longest[v], right_hand_side(k, v, 1, {}));
        if (next >= F_[k][v]) continue;
        set_end(k, v, next);
        changed = true;
      }
    }
    return changed;
  }

  [[nodiscard]] bool holds() {
    prepare();
    for (std::size_t k = 0; k < ticks_.classes.size(); ++k) {
      for (const std::uint32_t v : ticks_.classes[k].order) {
        if (F_[k][v] < right_hand_side(k, v, 1, {F_[k][v], false})) return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool waits_by_priority(std::size_t k, std::size_t v) const {
    const Class& c = ticks_.classes[k];
    for (std::size_t u = 0; u < c.size(); ++u) {
      if (relations_[k].above[v][u] && by_fixed_priority(system_.pools[c.pools[c.pool_of[u]]].order)) return true;
    }
    return false;
  }

  const System& system_;
  Ticks ticks_;
  LateSums late_;
  std::int64_t grid_;
  bool monotone_;
  bool fits_;                            // T12w and T12m are asked of all nodes
  mutable WantedEnds wanted_;            // of T12w
  std::optional<FittingPaths> fitting_;  // for either
  WholePaths::Parallel parallel_;        // class
  std::optional<WholePaths> whole_;      // T12d where it is wanted
  mutable bool some_likely_ = false;
  std::vector<Lineage> relations_;  // per class, as the rest
  EndsOfClasses F_, A_;
  Ends ends_;  // these, of DAGs
};

/// The least solution of the theorems that the refinement names, or one soon found from there.
inline Result<NodeBounds> bounds(const System& system, Refinement refinement, const Limits& limits = {}) {
  LateReleases late(system, refinement, limits);
  if (auto overload = overloaded_pool(system)) return *std::move(overload);
  if (auto none = late.solve(limits)) return *std::move(none);
  return late.bounds();
}

}  // namespace rta::test::late_releases
