#include "analysis/path/path_nodes.hpp"

#include <algorithm>

#include "analysis/path/upward_grid.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::path {
namespace {

[[nodiscard]] bool by_dag(Order order) { return order == Order::gel || order == Order::gel_non_preemptive; }

}  // namespace

Nodes::Nodes(Ticks& ticks, Refinement refinement, const std::vector<std::vector<Time>>& wanted)
    : ticks_(ticks),
      pieces_(ticks.system->pools.size()),
      jitter_(ticks.system->pools.size()),
      late_(ticks.system->pools.size()),
      carried_by_(ticks.system->pools.size()),
      by_node_(ticks.system->pools.size()),
      by_priority_(ticks.system->pools.size()),
      urgent_(ticks.system->pools.size()),
      preceding_(ticks.system->pools.size()),
      sliced_pool_(ticks.system->pools.size()),
      sliced_terms_(ticks.system->pools.size()) {
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const Order order = ticks.system->pools[p].order;
    if (order == Order::gel_non_preemptive) pieces_[p] = blocking_pieces(ticks, p);
    if (ticks.users[p].empty()) continue;
    // T10g and T10w are not monotone: the order of a round decides what they find, and each DAG takes all ends as they are.
    if (by_dag(order) && refinement < Refinement::T10g) {
      preceding_[p].emplace(ticks, p);
      if (!preceding_[p]->is_quicker()) preceding_[p].reset();
    }
    const bool sliced = ticks.system->pools[p].slices.has_value();
    some_sliced_ = some_sliced_ || sliced;
    if (order == Order::fifo && refinement >= Refinement::T10j) {
      if (!sliced) jitter_[p].emplace(ticks, p);
      if (sliced) sliced_pool_[p].emplace(ticks, p);
      if (sliced && !sliced_pool_[p]->applies()) sliced_pool_[p].reset();
    }
    if (order == Order::gel_by_node) by_node_[p].emplace(ticks, p);
    if (by_fixed_priority(order)) by_priority_[p].emplace(ticks, p);
    if (order == Order::fixed && refinement >= Refinement::T10g) urgent_[p].emplace(ticks, p);
    if ((order == Order::gel || order == Order::gel_by_node) && refinement >= Refinement::T10g) late_[p].emplace(ticks, p);
    if (order == Order::gel && refinement >= Refinement::T10g && affordable_alignment(ticks)) carried_by_[p].emplace(ticks, p);
  }
  for (Class& c : ticks.classes) {
    const auto lengths = static_lengths(c);
    set_pool_sets(c, lengths);
    auto& sliced = sliced_.emplace_back();
    if (!SlicedPaths::sliced_pools(c, *ticks.system).empty()) sliced.emplace(c, *ticks.system, ticks.Q, lengths);
    F.push_back(c.longest);
    A_.emplace_back(c.size());
    reach_.emplace_back(c.size() * c.pools.size());
    ready_.emplace_back(c.size() * c.pools.size());
    waiting_.emplace_back(c.size() * c.slot_pool.size());
    carried_.emplace_back();
    carries_.push_back(false);
    carried_first_.emplace_back(c.size());
    own_.emplace_back(c.size() * c.slot_pool.size());
    auto& parallel = parallel_.emplace_back();
    if (refinement >= Refinement::T10d && !some_sliced_ && ParallelPaths::applies(c, *ticks.system)) parallel.emplace(c, *ticks.system);
    auto& stairs = stairs_.emplace_back();
    for (std::size_t i = 0; i < c.pools.size(); ++i) {
      auto& of_pool = stairs.emplace_back();
      if (by_dag(ticks.system->pools[c.pools[i]].order) && !preceding_[c.pools[i]]) of_pool.emplace(c, i);
    }
    aligns_.push_back(std::ranges::any_of(c.pools, [&](std::size_t p) { return AlignedPaths::aligned(ticks.system->pools[p].order); }));
  }
  const bool some_align = std::ranges::find(aligns_, true) != aligns_.end();
  if (refinement != Refinement::T10n && some_align && affordable_alignment(ticks)) aligned_.emplace(ticks);
  if (refinement == Refinement::T10d && !some_sliced_) whole_.emplace(ticks, parallel_);
  fits_ = refinement == Refinement::T10w && !some_sliced_ && FittingPaths::affordable(ticks);
  if (whole_ && !wanted.empty() && FittingPaths::affordable(ticks)) set_wanted(wanted);
  stale_.resize(ticks.classes.size());
  on_stairs_.resize(pieces_.size());
  for (std::size_t k = 0; k < stairs_.size(); ++k) {
    const Class& c = ticks.classes[k];
    for (std::size_t i = 0; i < c.pools.size(); ++i) {
      if (stairs_[k][i]) on_stairs_[c.pools[i]].push_back({k, c.copies, c.Y, &*stairs_[k][i]});
    }
  }
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) changed(k);
}

/// Of equal DAGs the least.
void Nodes::set_wanted(const std::vector<std::vector<Time>>& wanted) {
  for (const Class& c : ticks_.classes) {
    auto& of = wanted_.emplace_back(c.size(), no_bound);
    for (const std::size_t d : c.dags) {
      for (std::size_t v = 0; v < of.size(); ++v) of[v] = std::min(of[v], wanted[d][v].count());
    }
  }
}

void Nodes::prepare() {
  for (std::size_t k = 0; k < ticks_.classes.size(); ++k) set_ready_times(k);
  backlog_.assign(pieces_.size(), 0);
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    if (preceding_[p]) set_preceding(p);
  }
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    if (ticks_.users[p].empty() || ticks_.system->pools[p].order != Order::fifo) continue;
    set_fifo_waiting(p);
    if (jitter_[p]) backlog_[p] = jitter_[p]->backlog(F, A_);
    if (sliced_pool_[p]) sliced_terms_[p] = sliced_pool_[p]->terms(A_);
  }
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    if (!late_[p]) continue;
    backlog_[p] = late_[p]->carry(F);
    late_[p]->set_ready_times(A_);
    if (carried_by_[p]) carried_by_[p]->set(F);
  }
  for (auto& pool : urgent_) {
    if (pool) pool->prepare(F, A_);
  }
  if (whole_) whole_->prepare({F, A_});
}

void Nodes::prepare(std::size_t k) {
  const Class& c = ticks_.classes[k];
  const std::size_t slots = c.slot_pool.size();
  set_ready_times(k);
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    const std::size_t p = c.pools[i];
    if (by_dag(ticks_.system->pools[p].order) && !preceding_[p]) set_gel_waiting(k, i);
    if (by_priority_[p]) {
      by_priority_[p]->set_waiting(k, F, A_, waiting_[k]);
      for (const std::size_t slot : c.levels[i].slot) {
        for (std::size_t at = slot; at < waiting_[k].size(); at += slots) own_[k][at] = waiting_[k][at];
      }
    }
    if (!by_node_[p]) continue;
    const auto waits = by_node_[p]->waiting(k, F);
    for (std::size_t v = 0; v < waits.size(); ++v) waiting_[k][v * slots + i] = own_[k][v * slots + i] = waits[v];
  }
  set_blocking(k);
  carries_[k] = false;
}

void Nodes::changed(std::size_t k) {
  const Class& c = ticks_.classes[k];
  stale_[k] = true;
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    const std::size_t p = c.pools[i];
    if (stairs_[k][i]) stairs_[k][i]->set(F[k]);
    if (by_priority_[p]) by_priority_[p]->changed(k);
  }
  if (aligned_) aligned_->changed(k, F[k]);
}

std::int64_t Nodes::least(std::size_t k, std::size_t v, std::int64_t grid, const FromBelow& from) const {
  const std::int64_t enough = from.enough;
  const bool sliced = is_sliced(k, v);
  std::int64_t bound = std::min(ticks_.classes[k].proven[v], sum_over_path(k, v));
  if (parallel_[k] && bound > enough) bound = std::min(bound, parallel_bound(k, v));
  const bool carries = !late_is_out_ && !sliced;
  const bool carried_first = carries && carried_first_[k][v];
  std::int64_t carried = carried_first && bound > enough ? carried_bound(k, v) : no_bound;
  bound = std::min(bound, carried);
  if (aligned_ && aligns_[k] && !sliced && bound > enough) bound = std::min(bound, aligned_bound(k, v, enough, bound));
  if (!late_is_out_ && bound > enough) bound = std::min(bound, local_bound(k, v, grid, bound));
  if (carries && bound > enough) {
    if (!carried_first) carried = carried_bound(k, v);
    carried_first_[k][v] = carried < bound || (carried_first && carried == bound);
    bound = std::min(bound, carried);
  }
  if (bound > enough) bound = std::min(bound, whole_bound(k, v, enough));
  if (bound > enough && asks_fitting(k, v, bound)) bound = std::min(bound, fitting_bound(k, v, grid, from));
  return bound > enough && fits_ ? std::min(bound, family_bound(k, v, grid, from, bound)) : bound;
}

/// T14 where the node or an ancestor is on a pool with slices; else T10n. Ns.
std::int64_t Nodes::sum_over_path(std::size_t k, std::size_t v) const {
  if (is_sliced(k, v)) return sliced_[k]->right_hand_side(v, waiting(k, v));
  return ticks_.ns(longest_with_waiting(ticks_.classes[k].pool_sets_of(v), waiting(k, v)));
}

std::int64_t Nodes::local_bound(std::size_t k, std::size_t v, std::int64_t grid, std::int64_t below) const {
  const Class& c = ticks_.classes[k];
  const std::size_t p = c.pools[c.pool_of[v]];
  if (!jitter_[p] && !late_[p] && !urgent_[p] && !sliced_pool_[p]) return no_bound;
  const std::int64_t A = ready_time(k, v);
  if (urgent_[p]) {
    std::int64_t bound = no_bound;
    if (const auto demand = urgent_[p]->demand(k, v)) bound = ceil_to(A + demand->total(), grid);
    const auto busy = urgent_[p]->busy(k, v, std::min(bound, below) - A);
    return busy ? A + busy->length : bound;
  }
  if (sliced_pool_[p]) return ceil_to(A + sliced_pool_[p]->length(sliced_terms_[p], c.e[v], c.s[v]), grid);
  const std::int64_t demand = late_[p] ? late_[p]->demand(k, v, A) : 0;
  return demand == no_bound ? no_bound : ceil_to(A + ticks_.ns(backlog_[p] + demand - c.s[v] + c.e[v]), grid);
}

Support Nodes::support(std::size_t k, std::size_t v) const {
  const Class& c = ticks_.classes[k];
  const bool sliced = is_sliced(k, v);
  if (sliced) {
    if (F[k][v] >= sum_over_path(k, v)) return Support::sliced;
  } else if (F[k][v] >= sum_over_path(k, v)) {
    return waits_by_priority(k, v) ? Support::fixed : Support::path;
  }
  if (!late_is_out_ && !sliced && F[k][v] >= carried_bound(k, v)) return Support::carried;
  if (aligned_ && !sliced) {
    if (F[k][v] >= aligned_bound(k, v, false)) return Support::aligned;
    if (!some_sliced_ && F[k][v] >= aligned_bound(k, v, true)) return Support::overlapped;
  }
  if (parallel_[k] && F[k][v] >= parallel_bound(k, v)) return Support::parallel;
  if (F[k][v] >= c.proven[v]) return Support::given;
  require(F[k][v] >= right_hand_side(k, v, 1, F[k][v]), "every end is at least its right-hand side");
  if (F[k][v] >= local_bound(k, v, 1, no_bound)) return Support::late;
  if (F[k][v] >= whole_bound(k, v, 0)) return Support::whole;
  return F[k][v] >= fitting_bound(k, v, 1, {F[k][v], false}) ? Support::fitting : Support::families;
}

std::span<const std::int64_t> Nodes::waiting(std::size_t k, std::size_t v) const {
  const std::size_t slots = ticks_.classes[k].slot_pool.size();
  return std::span(waiting_[k]).subspan(v * slots, slots);
}

/// T10c's, on the pools where that is less than T10n's; `no_bound` where it is of no use. Ns.
std::int64_t Nodes::carried_bound(std::size_t k, std::size_t v) const {
  if (!carries_[k]) set_carried(k);
  if (carried_[k].empty()) return no_bound;
  const std::size_t slots = ticks_.classes[k].slot_pool.size();
  const auto left = std::span<const std::int64_t>(carried_[k]).subspan(v * slots, slots);
  return ticks_.ns(longest_with_waiting(ticks_.classes[k].pool_sets_of(v), left));
}

/// Whether the node or an ancestor is on a pool under fixed priorities.
bool Nodes::waits_by_priority(std::size_t k, std::size_t v) const {
  const Class& c = ticks_.classes[k];
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    if (by_priority_[c.pools[i]] && reach_[k][v * c.pools.size() + i] != not_visited) return true;
  }
  return false;
}

/// T10a's right-hand side; with `overlap` T10v's, where it applies. Ns.
std::int64_t Nodes::aligned_bound(std::size_t k, std::size_t v, bool overlap) const {
  return ticks_.ns(aligned_->right_hand_side(k, ticks_.classes[k].pool_sets_of(v), v, aligned_sums(k, v), overlap).total);
}

/// The lesser of both; anything up to `enough` where it is no more, and anything from `below` on where it is no less. Ns.
std::int64_t Nodes::aligned_bound(std::size_t k, std::size_t v, std::int64_t enough, std::int64_t below) const {
  const std::int64_t up_to = (below - 1) * ticks_.Q + 1;
  return ticks_.ns(aligned_->bound(k, ticks_.classes[k].pool_sets_of(v), v, aligned_sums(k, v), !some_sliced_, enough * ticks_.Q, up_to));
}

AlignedPaths::Sums Nodes::aligned_sums(std::size_t k, std::size_t v) const {
  const auto of = [&](const PerClass& all, std::size_t width) { return std::span(all[k]).subspan(v * width, width); };
  const std::size_t P = ticks_.classes[k].pools.size();
  return {.reach = of(reach_, P), .ready = of(ready_, P), .own = of(own_, ticks_.classes[k].slot_pool.size())};
}

/// T10p's right-hand side, ns.
std::int64_t Nodes::parallel_bound(std::size_t k, std::size_t v) const {
  return ticks_.ns(parallel_[k]->right_hand_side(v, waiting(k, v)).length);
}

/// T10d's, likewise. From below, where `enough` is F, no less than the least solution for the node alone is known to be.
std::int64_t Nodes::whole_bound(std::size_t k, std::size_t v, std::int64_t enough) const {
  if (!whole_ || !whole_->applies(k)) return no_bound;
  const WholePaths::Decisive decisive = whole_->decisive(k, v, {F, A_}, waiting(k, v));
  const std::int64_t bound = ticks_.ns(decisive.total);
  const bool from_below = enough > 0 && enough == F[k][v] && bound > enough;
  return from_below ? std::max(bound, enough + decisive.beyond) : bound;
}

const FittingPaths& Nodes::fitting() const {
  if (!fitting_) fitting_.emplace(ticks_);
  return *fitting_;
}

/// Not of an end that is too late already.
bool Nodes::asks_fitting(std::size_t k, std::size_t v, std::int64_t bound) const {
  return fits_ || (!wanted_.empty() && bound > wanted_[k][v] && F[k][v] <= wanted_[k][v]);
}

/// T10w's, likewise.
std::int64_t Nodes::fitting_bound(std::size_t k, std::size_t v, std::int64_t grid, const FromBelow& from) const {
  if (!fitting().applies(k)) return no_bound;
  some_likely_ = some_likely_ || from.likely;
  const std::int64_t bound = fitting().decisive(k, v, {F, A_, from.enough, from.likely}, waiting(k, v)).total;
  if (bound == no_bound) return no_bound;
  return ceil_to(ticks_.ns(bound), grid);
}

/// T10m's; `no_bound` where it is no less than `below`.
std::int64_t Nodes::family_bound(std::size_t k, std::size_t v, std::int64_t grid, const FromBelow& from, std::int64_t below) const {
  if (!fitting().applies(k)) return no_bound;
  some_likely_ = some_likely_ || from.likely;
  const std::int64_t bound = fitting().family(k, v, {F, A_, from.enough, from.likely}, below).total;
  if (bound == no_bound) return no_bound;
  return ceil_to(ticks_.ns(bound), grid);
}

std::int64_t Nodes::ready_time(std::size_t k, std::size_t v) const {
  std::int64_t A = 0;
  for (const std::uint32_t w : ticks_.classes[k].predecessors(v)) A = std::max(A, F[k][w]);
  return A;
}

/// A_v, and per node and pool: max of A_q (FIFO) or F_q (GEL) over q on the pool among the node and its ancestors.
void Nodes::set_ready_times(std::size_t k) {
  if (!stale_[k]) return;
  stale_[k] = false;
  const Class& c = ticks_.classes[k];
  const std::size_t P = c.pools.size();
  std::ranges::fill(reach_[k], not_visited);
  std::ranges::fill(ready_[k], not_visited);
  for (const std::uint32_t v : c.order) {
    std::int64_t* const reach = &reach_[k][v * P];
    std::int64_t* const ready = &ready_[k][v * P];
    std::int64_t A = 0;
    for (const std::uint32_t w : c.predecessors(v)) {
      A = std::max(A, F[k][w]);
      for (std::size_t i = 0; i < P; ++i) {
        reach[i] = std::max(reach[i], reach_[k][w * P + i]);
        ready[i] = std::max(ready[i], ready_[k][w * P + i]);
      }
    }
    A_[k][v] = A;
    const std::size_t own = c.pool_of[v];
    ready[own] = std::max(ready[own], A);
    const bool fifo = ticks_.system->pools[c.pools[own]].order == Order::fifo;
    reach[own] = std::max(reach[own], fifo ? A : F[k][v]);
  }
}

/// T10c: what the pool has left when the job is released, less the strict descendants of each node.
void Nodes::set_carried(std::size_t k) const {
  const Class& c = ticks_.classes[k];
  carries_[k] = true;
  carried_[k].clear();
  const std::size_t slots = c.slot_pool.size();
  bool first = true;
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    const auto& pool = carried_by_[c.pools[i]];
    if (!pool) continue;
    const Wide left = pool->total(k);
    const std::int64_t rounding = pool->rounding(k);
    if (first) carried_[k] = waiting_[k];
    first = false;
    for (std::size_t v = 0; v < c.size(); ++v) {
      std::int64_t& least = carried_[k][v * slots + i];
      const std::int64_t after = std::max<std::int64_t>(0, c.total[i] - c.rest[v * c.pools.size() + i] - rounding);
      least = static_cast<std::int64_t>(std::min<Wide>(least, left - after));
    }
  }
}

/// Non-preemptive pools: each node on one adds Blk_q to the paths through it.
void Nodes::set_blocking(std::size_t k) {
  Class& c = ticks_.classes[k];
  if (std::ranges::none_of(c.pools, [&](std::size_t p) { return is_non_preemptive(ticks_.system->pools[p].order); })) return;
  const std::vector<std::int64_t> length = blocked_lengths(k);
  set_pool_sets(c, length);
  if (sliced_[k]) sliced_[k].emplace(c, *ticks_.system, ticks_.Q, length);
}

std::vector<std::int64_t> Nodes::blocked_lengths(std::size_t k) const {
  const Class& c = ticks_.classes[k];
  std::vector<std::int64_t> length = static_lengths(c);
  for (std::size_t v = 0; v < c.size(); ++v) {
    const std::size_t p = c.pools[c.pool_of[v]];
    if (!is_non_preemptive(ticks_.system->pools[p].order)) continue;
    length[v] += by_priority_[p] ? by_priority_[p]->blocking(k, v, A_[k][v], F)
                                 : blocking(ticks_, pieces_[p], k, A_[k][v], [&](std::size_t d, std::size_t u) { return F[d][u]; });
  }
  return length;
}

}  // namespace rta::analysis::path
