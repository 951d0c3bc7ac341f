#include "analysis/path/path_nodes.hpp"

#include <algorithm>

#include "analysis/path/late/since_nominal.hpp"

namespace rta::analysis::path {
namespace {

[[nodiscard]] bool by_dag(Order order) { return order == Order::gel || order == Order::gel_non_preemptive; }

[[nodiscard]] bool has_room_for_local_sums(const Ticks& ticks) {
  return std::ranges::all_of(ticks.classes, [](const Class& c) { return c.J / c.T <= most_periods_of_jitter; });
}

}  // namespace

Nodes::Nodes(Ticks& ticks, const Rules& rules, const std::vector<std::vector<Time>>& wanted)
    : ticks_(ticks),
      has_jitter_(has_release_jitter(*ticks.system)),
      pieces_(ticks.system->pools.size()),
      jitter_(ticks.system->pools.size()),
      late_(ticks.system->pools.size()),
      carried_by_(ticks.system->pools.size()),
      visits_(ticks.system->pools.size()),
      runs_(ticks.system->pools.size()),
      overlap_(ticks.system->pools.size()),
      running_(ticks.system->pools.size()),
      by_node_(ticks.system->pools.size()),
      by_priority_(ticks.system->pools.size()),
      urgent_(ticks.system->pools.size()),
      preceding_(ticks.system->pools.size()),
      sliced_pool_(ticks.system->pools.size()),
      sliced_terms_(ticks.system->pools.size()) {
  const bool local_sums = has_room_for_local_sums(ticks);
  const bool mixed = std::ranges::any_of(ticks.system->pools, &Pool::mixed);
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const Order order = ticks.system->pools[p].order;
    if (order == Order::gel_non_preemptive) pieces_[p] = blocking_pieces(ticks, p);
    if (ticks.users[p].empty()) continue;
    // T10g and T10w are not monotone: the order of a round decides what they find, and each DAG takes all ends as they are.
    if (by_dag(order) && rules.are_monotone()) {
      preceding_[p].emplace(ticks, p);
      if (!preceding_[p]->is_quicker()) preceding_[p].reset();
    }
    const bool sliced = ticks.system->pools[p].slices.has_value();
    some_sliced_ = some_sliced_ || sliced;
    if (order == Order::fifo && rules.has(Rule::local_on_fifo) && local_sums && !ticks.system->pools[p].mixed) {
      if (!sliced) jitter_[p].emplace(ticks, p);
      if (sliced) sliced_pool_[p].emplace(ticks, p);
      if (sliced && !sliced_pool_[p]->applies()) sliced_pool_[p].reset();
    }
    if (rules.has(Rule::visit) && !has_jitter_ && affordable_alignment(ticks)) {
      if (VisitPool::applies(ticks, p) && !ticks.system->pools[p].mixed) visits_[p].emplace(ticks, p);
      runs_[p] = RunningPool::applies(ticks, p);
    }
    if (order == Order::gel_by_node) by_node_[p].emplace(ticks, p);
    if (by_fixed_priority(order)) by_priority_[p].emplace(ticks, p);
    if (order == Order::fixed && rules.has(Rule::local) && local_sums) urgent_[p].emplace(ticks, p);
    if ((order == Order::gel || order == Order::gel_by_node) && rules.has(Rule::local) && local_sums) late_[p].emplace(ticks, p);
    if (order == Order::gel && rules.has(Rule::carried) && !has_jitter_ && affordable_alignment(ticks) && BacklogPool::applies(ticks, p)) {
      carried_by_[p].emplace(ticks, p);
    }
  }
  for (Class& c : ticks.classes) {
    const auto lengths = static_lengths(c);
    set_pool_sets(c, lengths);
    auto& sliced = sliced_.emplace_back();
    if (!SlicedPaths::sliced_pools(c, *ticks.system).empty()) sliced.emplace(ticks, c, lengths);
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
    if (rules.has(Rule::parallel) && !some_sliced_ && ParallelPaths::applies(c, *ticks.system)) parallel.emplace(c, *ticks.system);
    auto& stairs = stairs_.emplace_back();
    for (std::size_t i = 0; i < c.pools.size(); ++i) {
      auto& of_pool = stairs.emplace_back();
      if (by_dag(ticks.system->pools[c.pools[i]].order) && !preceding_[c.pools[i]]) of_pool.emplace(c, i);
    }
    aligns_.push_back(std::ranges::any_of(c.pools, [&](std::size_t p) { return AlignedPaths::aligned(ticks.system->pools[p].order); }));
  }
  const bool some_align = std::ranges::find(aligns_, true) != aligns_.end();
  if (rules.has(Rule::aligned) && some_align && !has_jitter_ && !mixed && affordable_alignment(ticks)) aligned_.emplace(ticks);
  if (aligned_ && std::ranges::any_of(visits_, [](const auto& pool) { return pool.has_value(); })) under_way_.emplace(ticks, visits_);
  upstream_.resize(pieces_.size());
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    if (aligned_ && rules.has(Rule::upstream) && UpstreamPool::applies(ticks, p)) upstream_[p].emplace(ticks, p);
  }
  for (const Class& c : ticks.classes) {
    const bool some = std::ranges::any_of(c.pools, [&](std::size_t p) { return upstream_[p].has_value(); });
    upstream_asked_.push_back(some && suits_upstream(ticks, c));
  }
  under_way_asked_.resize(ticks.classes.size());
  const bool preemptive = std::ranges::none_of(ticks.system->pools, [](const Pool& pool) { return is_non_preemptive(pool.order); });
  const bool any_work = !some_sliced_ && !mixed;
  if (rules.has(Rule::whole) && any_work && (preemptive || !has_jitter_)) whole_.emplace(ticks, parallel_);
  fits_ = rules.has(Rule::fitting) && any_work && FittingPaths::affordable(ticks);
  if (rules.has(Rule::whole) && any_work && !wanted.empty() && FittingPaths::affordable(ticks)) wanted_ = WantedEnds(ticks, wanted);
  fitted_.resize(ticks.classes.size());
  stale_.resize(ticks.classes.size());
  moved_.assign(ticks.classes.size(), true);
  reads_anew_.assign(ticks.classes.size(), true);
  reads_more_ = !rules.count_whole_jobs() || aligned_;
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const Pool& pool = ticks.system->pools[p];
    const bool once_a_round = (pool.order == Order::fifo && !pool.slices) || (pool.order == Order::gel && preceding_[p]);
    reads_more_ = reads_more_ || (!ticks.users[p].empty() && !once_a_round);
  }
  on_stairs_.resize(pieces_.size());
  for (std::size_t k = 0; k < stairs_.size(); ++k) {
    const Class& c = ticks.classes[k];
    for (std::size_t i = 0; i < c.pools.size(); ++i) {
      if (stairs_[k][i]) on_stairs_[c.pools[i]].push_back({k, c.copies, c.Y, &*stairs_[k][i]});
    }
  }
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) changed(k);
}

void Nodes::prepare(std::optional<std::size_t> alone) {
  for (std::size_t k = 0; k < ticks_.classes.size(); ++k) set_ready_times(k);
  backlog_.assign(pieces_.size(), Tick::zero());
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    if (preceding_[p]) set_preceding(p);
  }
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    if (ticks_.users[p].empty() || ticks_.system->pools[p].order != Order::fifo) continue;
    set_fifo_waiting(p);
    if (sliced_pool_[p]) sliced_terms_[p] = sliced_pool_[p]->terms(A_);
  }
  for (auto& pool : carried_by_) {
    if (pool) pool->set(F);
  }
  for (auto& pool : visits_) {
    if (pool) pool->prepare(F);
  }
  for (auto& pool : upstream_) {
    if (pool) pool->prepare(F);
  }
  for (std::size_t p = 0; p < runs_.size(); ++p) {
    overlap_[p] = runs_[p] && std::ranges::any_of(ticks_.users[p], [&](std::size_t k) {
                    return std::ranges::any_of(F[k], [&](std::int64_t end) { return end > Ticks::least_distance(ticks_.classes[k]); });
                  });
  }
  if (has_jitter_) {
    prepare_local_sums(since_nominal(ticks_, F), since_nominal(ticks_, A_), alone);
  } else {
    prepare_local_sums(F, A_, alone);
  }
  if (whole_) whole_->prepare({F, A_}, alone);
  moved_.assign(moved_.size(), false);
}

/// What T10j, T10g and T11j count, or T12j: since the nominal releases.
void Nodes::prepare_local_sums(const PerClass& ends, const PerClass& ready_times, std::optional<std::size_t> alone) {
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    if (jitter_[p]) backlog_[p] = jitter_[p]->backlog(ends, ready_times);
    if (urgent_[p]) urgent_[p]->prepare(ends, ready_times, alone);
    if (!late_[p]) continue;
    backlog_[p] = late_[p]->carry(ends);
    late_[p]->set_ready_times(ready_times);
  }
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
    const auto waits = by_node_[p]->waiting(k, F[k]);
    for (std::size_t v = 0; v < waits.size(); ++v) waiting_[k][v * slots + i] = own_[k][v * slots + i] = waits[v];
  }
  set_blocking(k);
  if (under_way_) {
    under_way_->changed(k);
    under_way_asked_[k] = under_way_->is_of_use(k, F);
  }
  carries_[k] = false;
  reads_anew_[k] = false;
}

void Nodes::changed(std::size_t k) {
  const Class& c = ticks_.classes[k];
  stale_[k] = true;
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    const std::size_t p = c.pools[i];
    if (stairs_[k][i]) stairs_[k][i]->set(F[k]);
    if (by_node_[p]) by_node_[p]->changed(k, F[k]);
    if (by_priority_[p]) by_priority_[p]->changed(k);
    if (visits_[p]) visits_[p]->changed(k);
    if (upstream_[p]) upstream_[p]->changed(k);
  }
  if (aligned_) aligned_->changed(k, F[k]);
  if (whole_) whole_->changed(k);
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
  moved_[k] = reads_anew_[k] = true;
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
    const Tick rounding = pool->rounding(k);
    const auto after = [&](std::size_t v) { return std::max(Tick::zero(), c.total[i] - c.rest[v * c.pools.size() + i] - rounding); };
    const Wide at_least = pool->at_least(k);
    bool of_use = false;
    for (std::size_t v = 0; v < c.size() && !of_use; ++v) of_use = at_least - after(v).count() < waiting_[k][v * slots + i].count();
    if (!of_use) continue;
    const Wide left = pool->total(k);
    if (first) carried_[k] = waiting_[k];
    first = false;
    for (std::size_t v = 0; v < c.size(); ++v) {
      Tick& least = carried_[k][v * slots + i];
      least = Tick::narrow(std::min<Wide>(least.count(), left - after(v).count()));
    }
  }
}

/// Non-preemptive pools: each node on one adds Blk_q to the paths through it.
void Nodes::set_blocking(std::size_t k) {
  Class& c = ticks_.classes[k];
  if (std::ranges::none_of(c.pools, [&](std::size_t p) { return is_non_preemptive(ticks_.system->pools[p].order); })) return;
  const std::vector<Tick> length = blocked_lengths(k);
  set_pool_sets(c, length);
  if (sliced_[k]) sliced_[k].emplace(ticks_, c, length);
}

std::vector<Tick> Nodes::blocked_lengths(std::size_t k) const {
  const Class& c = ticks_.classes[k];
  std::vector<Tick> length = static_lengths(c);
  for (std::size_t v = 0; v < c.size(); ++v) {
    const std::size_t p = c.pools[c.pool_of[v]];
    if (!is_non_preemptive(ticks_.system->pools[p].order)) continue;
    length[v] += by_priority_[p] ? by_priority_[p]->blocking(k, v, A_[k][v], F)
                                 : blocking(ticks_, pieces_[p], k, A_[k][v], [&](std::size_t d, std::size_t u) { return F[d][u]; });
  }
  return length;
}

}  // namespace rta::analysis::path
