// What each theorem says of one node, and the least of them.
#include <algorithm>

#include "analysis/path/path_nodes.hpp"
#include "analysis/path/system/upward_grid.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::path {

std::int64_t Nodes::least(std::size_t k, std::size_t v, std::int64_t grid, const FromBelow& from) const {
  const std::int64_t enough = from.enough;
  if (enough > 0 && enough == F[k][v] && whole_ && whole_->is_solved(k, v, {F, A_})) return enough;
  const bool sliced = is_sliced(k, v);
  std::int64_t bound = std::min(ticks_.classes[k].proven[v], sum_over_path(k, v));
  if (parallel_[k] && !has_jitter_ && bound > enough) bound = std::min(bound, parallel_bound(k, v));
  const bool carries = !late_is_out_ && !sliced;
  const bool carried_first = carries && carried_first_[k][v];
  std::int64_t carried = carried_first && bound > enough ? carried_bound(k, v) : no_bound;
  bound = std::min(bound, carried);
  if (!late_is_out_ && bound > enough) bound = std::min(bound, visit_bound(k, v, grid, bound, enough));
  if (aligned_ && aligns_[k] && !sliced && bound > enough) bound = std::min(bound, aligned_bound(k, v, enough, bound));
  if (!late_is_out_ && bound > enough) bound = std::min(bound, local_bound(k, v, grid, bound));
  if (!late_is_out_ && bound > enough) bound = std::min(bound, under_way_bound(k, v, grid, bound));
  if (carries && bound > enough) {
    if (!carried_first) carried = carried_bound(k, v);
    carried_first_[k][v] = carried < bound || (carried_first && carried == bound);
    bound = std::min(bound, carried);
  }
  if (!late_is_out_ && bound > enough) bound = std::min(bound, upstream_bound(k, v, grid, bound));
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
  const Tick demand = late_[p] ? late_[p]->demand(k, v, A) : Tick::zero();
  return demand == unbounded ? no_bound : ceil_to(A + ticks_.ns(backlog_[p] + demand - c.s[v] + c.e[v]), grid);
}

std::int64_t Nodes::visit_bound(std::size_t k, std::size_t v, std::int64_t grid, std::int64_t below, std::int64_t enough) const {
  const Class& c = ticks_.classes[k];
  const std::size_t p = c.pools[c.pool_of[v]];
  const bool runs = overlap_[p] || (runs_[p] && (runs_for_all_ || below > Ticks::least_distance(c)));
  if (!visits_[p] && !runs) return no_bound;
  const std::int64_t A = ready_time(k, v);
  const std::int64_t own = std::max<std::int64_t>(1, ticks_.whole_ns(c.e[v]));
  if (A + own >= below) return no_bound;
  const std::int64_t most = below - A - own;
  const VisitPool::Asked asked{most, std::max<std::int64_t>(-1, enough - A - own)};
  const std::int64_t waiting = visits_[p] ? visits_[p]->waiting(k, v, F[k], A, asked).length : wait_for_running(k, v, A, asked);
  if (waiting >= most) return no_bound;
  return rounds_visits_ ? ceil_to(A + waiting + own, grid) : A + waiting + own;
}

std::int64_t Nodes::under_way_bound(std::size_t k, std::size_t v, std::int64_t grid, std::int64_t below) const {
  if (!under_way_ || !under_way_asked_[k]) return no_bound;
  const auto at = under_way_->at(k, v, F);
  if (!at) return no_bound;
  const AlignedPaths::Sets sets{ticks_.classes[k].pool_sets_of(v), under_way_->sets_of(k, v)};
  const std::int64_t bound = ticks_.ns(aligned_->under_way(k, v, aligned_sums(k, v), *at, sets, ticks_.of_ns(below - 1) + Tick(1)).total);
  return rounds_visits_ ? ceil_to(bound, grid) : bound;
}

std::int64_t Nodes::upstream_bound(std::size_t k, std::size_t v, std::int64_t grid, std::int64_t below) const {
  const Class& c = ticks_.classes[k];
  if (!upstream_asked_[k]) return no_bound;
  std::optional<UnderWayAt> at;
  if (under_way_ && under_way_asked_[k]) at = under_way_->at(k, v, F);
  const auto choice = upstream_choice(ticks_, upstream_, *aligned_, k, v, aligned_sums(k, v), c.pool_sets_of(v), at ? &*at : nullptr,
                                      ticks_.of_ns(below - 1) + Tick(1));
  if (!choice) return no_bound;
  const std::int64_t bound = ticks_.ns(choice->total);
  return rounds_visits_ ? ceil_to(bound, grid) : bound;
}

bool Nodes::upstream_says_less() {
  prepare();
  for (std::size_t k = 0; k < F.size(); ++k) {
    prepare(k);
    for (std::size_t v = 0; v < F[k].size(); ++v) {
      if (upstream_bound(k, v, 1, F[k][v]) < F[k][v]) return true;
    }
  }
  return false;
}

bool Nodes::some_visits() const {
  return std::ranges::find(runs_, true) != runs_.end() || std::ranges::any_of(visits_, [](const auto& pool) { return pool.has_value(); });
}

bool Nodes::lower_by_visits(std::size_t k) {
  const Class& c = ticks_.classes[k];
  bool some = false;
  for (const std::uint32_t v : c.order) {
    const std::int64_t next = std::max(c.longest[v], visit_bound(k, v, 1, F[k][v], 0));
    if (next >= F[k][v]) continue;
    F[k][v] = next;
    some = true;
  }
  if (some) changed(k);
  return some;
}

bool Nodes::holds_by(Support by, std::size_t k, std::size_t v) const {
  return F[k][v] >= (by == Support::visit ? visit_bound(k, v, 1, no_bound, 0) : upstream_bound(k, v, 1, F[k][v] + 1));
}

/// T24's w.
std::int64_t Nodes::wait_for_running(std::size_t k, std::size_t v, std::int64_t A, const VisitPool::Asked& asked) const {
  const Class& c = ticks_.classes[k];
  auto& pool = running_[c.pools[c.pool_of[v]]];
  if (!pool) pool.emplace(ticks_, c.pools[c.pool_of[v]]);
  return pool->waiting(k, v, F, A, asked.most, asked.enough);
}

/// What is not rounded is no less than an end: it was no less when that was found, or the end is the least solution.
bool Nodes::may_settle(std::size_t k) const {
  if (fitted_[k]) return true;
  for (std::size_t v = 0; v < F[k].size(); ++v) {
    if (local_bound(k, v, 1, F[k][v]) < F[k][v]) return true;
  }
  return false;
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
  if (parallel_[k] && !has_jitter_ && F[k][v] >= parallel_bound(k, v)) return Support::parallel;
  if (F[k][v] >= c.proven[v]) return Support::given;
  require(F[k][v] >= right_hand_side(k, v, 1, F[k][v]), "every end is at least its right-hand side");
  if (F[k][v] >= local_bound(k, v, 1, no_bound)) return Support::late;
  if (F[k][v] >= visit_bound(k, v, 1, no_bound, 0)) return Support::visit;
  if (F[k][v] >= under_way_bound(k, v, 1, F[k][v] + 1)) return Support::under_way;
  if (F[k][v] >= upstream_bound(k, v, 1, F[k][v] + 1)) return Support::upstream;
  if (F[k][v] >= whole_bound(k, v, 0)) return Support::whole;
  return F[k][v] >= fitting_bound(k, v, 1, {F[k][v], false}) ? Support::fitting : Support::families;
}

std::span<const Tick> Nodes::waiting(std::size_t k, std::size_t v) const {
  const std::size_t slots = ticks_.classes[k].slot_pool.size();
  return std::span(waiting_[k]).subspan(v * slots, slots);
}

/// T10c's, on the pools where that is less than T10n's; `no_bound` where it is of no use. Ns.
std::int64_t Nodes::carried_bound(std::size_t k, std::size_t v) const {
  if (!carries_[k]) set_carried(k);
  if (carried_[k].empty()) return no_bound;
  const std::size_t slots = ticks_.classes[k].slot_pool.size();
  const auto left = std::span<const Tick>(carried_[k]).subspan(v * slots, slots);
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
  const Tick up_to = ticks_.of_ns(below - 1) + Tick(1);
  return ticks_.ns(
      aligned_->bound(k, ticks_.classes[k].pool_sets_of(v), v, aligned_sums(k, v), !some_sliced_, ticks_.of_ns(enough), up_to));
}

AlignedPaths::Sums Nodes::aligned_sums(std::size_t k, std::size_t v) const {
  const auto of = [&](const auto& all, std::size_t width) { return std::span(all[k]).subspan(v * width, width); };
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
  if (enough > 0 && enough == F[k][v]) return whole_->from_below(k, v, {F, A_}, waiting(k, v));
  return ticks_.ns(whole_->decisive(k, v, {F, A_}, waiting(k, v)).total);
}

const FittingPaths& Nodes::fitting() const {
  if (!fitting_) fitting_.emplace(ticks_, &parallel_);
  return *fitting_;
}

bool Nodes::asks_fitting(std::size_t k, std::size_t v, std::int64_t bound) const { return fits_ || wanted_.asks(k, v, bound, F[k][v]); }

/// T10w's, likewise.
std::int64_t Nodes::fitting_bound(std::size_t k, std::size_t v, std::int64_t grid, const FromBelow& from) const {
  if (!fitting().applies(k)) return no_bound;
  fitted_[k] = true;
  some_likely_ = some_likely_ || from.likely;
  const Tick bound = fitting().decisive(k, v, {F, A_, from.enough, from.likely}, waiting(k, v)).total;
  if (bound == unbounded) return no_bound;
  return ceil_to(ticks_.ns(bound), grid);
}

/// T10m's; `no_bound` where it is no less than `below`.
std::int64_t Nodes::family_bound(std::size_t k, std::size_t v, std::int64_t grid, const FromBelow& from, std::int64_t below) const {
  if (!fitting().applies(k)) return no_bound;
  fitted_[k] = true;
  some_likely_ = some_likely_ || from.likely;
  const Tick bound = fitting().family(k, v, {F, A_, from.enough, from.likely}, below).total;
  if (bound == unbounded) return no_bound;
  return ceil_to(ticks_.ns(bound), grid);
}

}  // namespace rta::analysis::path
