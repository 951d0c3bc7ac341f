#include "analysis/path/path_nodes.hpp"

#include <algorithm>
#include <numeric>

#include "analysis/path/path_table.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::path {
namespace {

constexpr std::int64_t not_visited = -1;

[[nodiscard]] bool by_dag(Order order) { return order == Order::gel || order == Order::gel_non_preemptive; }

}  // namespace

Nodes::Nodes(Ticks& ticks, Refinement refinement)
    : ticks_(ticks),
      pieces_(ticks.system->pools.size()),
      jitter_(ticks.system->pools.size()),
      late_(ticks.system->pools.size()),
      carried_by_(ticks.system->pools.size()),
      by_node_(ticks.system->pools.size()),
      by_priority_(ticks.system->pools.size()),
      urgent_(ticks.system->pools.size()) {
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const Order order = ticks.system->pools[p].order;
    if (order == Order::gel_non_preemptive) pieces_[p] = blocking_pieces(ticks, p);
    if (ticks.users[p].empty()) continue;
    if (order == Order::fifo && refinement >= Refinement::T10j) jitter_[p].emplace(ticks, p);
    if (order == Order::gel_by_node) by_node_[p].emplace(ticks, p);
    if (by_fixed_priority(order)) by_priority_[p].emplace(ticks, p);
    if (order == Order::fixed && refinement == Refinement::T10g) urgent_[p].emplace(ticks, p);
    if ((order == Order::gel || order == Order::gel_by_node) && refinement == Refinement::T10g) late_[p].emplace(ticks, p);
    if (order == Order::gel && refinement == Refinement::T10g && affordable_alignment(ticks)) carried_by_[p].emplace(ticks, p);
  }
  for (Class& c : ticks.classes) {
    set_pool_sets(c, static_lengths(c));
    F.push_back(c.longest);
    A_.emplace_back(c.size());
    reach_.emplace_back(c.size() * c.pools.size());
    ready_.emplace_back(c.size() * c.pools.size());
    waiting_.emplace_back(c.size() * c.slot_pool.size());
    carried_.emplace_back();
    own_.emplace_back(c.size() * c.slot_pool.size());
    auto& stairs = stairs_.emplace_back();
    for (std::size_t i = 0; i < c.pools.size(); ++i) stairs.emplace_back(c, i);
  }
  if (refinement != Refinement::T10n && affordable_alignment(ticks)) aligned_.emplace(ticks);
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) changed(k);
}

void Nodes::prepare() {
  for (std::size_t k = 0; k < ticks_.classes.size(); ++k) set_ready_times(k);
  backlog_.assign(pieces_.size(), 0);
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    if (ticks_.users[p].empty() || ticks_.system->pools[p].order != Order::fifo) continue;
    set_fifo_waiting(p);
    if (jitter_[p]) backlog_[p] = jitter_[p]->backlog(F, A_);
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
}

void Nodes::prepare(std::size_t k) {
  const Class& c = ticks_.classes[k];
  const std::size_t slots = c.slot_pool.size();
  set_ready_times(k);
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    const std::size_t p = c.pools[i];
    if (by_dag(ticks_.system->pools[p].order)) set_gel_waiting(k, i);
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
  set_carried(k);
}

void Nodes::changed(std::size_t k) {
  const Class& c = ticks_.classes[k];
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    if (by_dag(ticks_.system->pools[c.pools[i]].order)) stairs_[k][i].set(F[k]);
  }
  if (aligned_) aligned_->changed(k, F[k]);
}

std::int64_t Nodes::right_hand_side(std::size_t k, std::size_t v, std::int64_t grid, std::int64_t enough) const {
  const Class& c = ticks_.classes[k];
  std::int64_t bound = std::min(c.proven[v], ticks_.ns(longest_with_waiting(c.pool_sets_of(v), carried(k, v))));
  if (aligned_ && bound > enough) bound = std::min(bound, aligned_bound(k, v, true));
  return bound > enough ? std::min(bound, local_bound(k, v, grid, bound)) : bound;
}

std::int64_t Nodes::local_bound(std::size_t k, std::size_t v, std::int64_t grid, std::int64_t below) const {
  const Class& c = ticks_.classes[k];
  const std::size_t p = c.pools[c.pool_of[v]];
  if (!jitter_[p] && !late_[p] && !urgent_[p]) return no_bound;
  const std::int64_t A = ready_time(k, v);
  const auto on_grid = [&](std::int64_t bound) { return bound + (grid - bound % grid) % grid; };
  if (urgent_[p]) {
    std::int64_t bound = no_bound;
    if (const auto demand = urgent_[p]->demand(k, v)) bound = on_grid(A + demand->total());
    const auto busy = urgent_[p]->busy(k, v, std::min(bound, below) - A);
    return busy ? A + busy->length : bound;
  }
  const std::int64_t demand = late_[p] ? late_[p]->demand(k, v, A) : 0;
  return demand == no_bound ? no_bound : on_grid(A + ticks_.ns(backlog_[p] + demand - c.s[v] + c.e[v]));
}

Support Nodes::support(std::size_t k, std::size_t v) const {
  const Class& c = ticks_.classes[k];
  if (F[k][v] >= ticks_.ns(longest_with_waiting(c.pool_sets_of(v), waiting(k, v)))) {
    return waits_by_priority(k, v) ? Support::fixed : Support::path;
  }
  if (F[k][v] >= ticks_.ns(longest_with_waiting(c.pool_sets_of(v), carried(k, v)))) return Support::carried;
  if (aligned_) {
    if (F[k][v] >= aligned_bound(k, v, false)) return Support::aligned;
    if (F[k][v] >= aligned_bound(k, v, true)) return Support::overlapped;
  }
  if (F[k][v] >= c.proven[v]) return Support::given;
  require(F[k][v] >= right_hand_side(k, v, 1), "every end is at least its right-hand side");
  return Support::late;
}

std::span<const std::int64_t> Nodes::waiting(std::size_t k, std::size_t v) const {
  const std::size_t slots = ticks_.classes[k].slot_pool.size();
  return std::span(waiting_[k]).subspan(v * slots, slots);
}

/// As `waiting`, by T10c on the pools where that is less.
std::span<const std::int64_t> Nodes::carried(std::size_t k, std::size_t v) const {
  if (carried_[k].empty()) return waiting(k, v);
  const std::size_t slots = ticks_.classes[k].slot_pool.size();
  return std::span(carried_[k]).subspan(v * slots, slots);
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
  const Class& c = ticks_.classes[k];
  const auto of = [&](const PerClass& all, std::size_t width) { return std::span(all[k]).subspan(v * width, width); };
  const std::size_t P = c.pools.size();
  const AlignedPaths::Sums sums{.reach = of(reach_, P), .ready = of(ready_, P), .own = of(own_, c.slot_pool.size())};
  return ticks_.ns(aligned_->right_hand_side(k, c.pool_sets_of(v), v, sums, overlap).total);
}

std::int64_t Nodes::ready_time(std::size_t k, std::size_t v) const {
  std::int64_t A = 0;
  for (const std::uint32_t w : ticks_.classes[k].predecessors(v)) A = std::max(A, F[k][w]);
  return A;
}

/// A_v, and per node and pool: max of A_q (FIFO) or F_q (GEL) over q on the pool among the node and its ancestors.
void Nodes::set_ready_times(std::size_t k) {
  const Class& c = ticks_.classes[k];
  const std::size_t P = c.pools.size();
  for (const std::uint32_t v : c.order) {
    A_[k][v] = ready_time(k, v);
    const auto reach = std::span(reach_[k]).subspan(v * P, P);
    const auto ready = std::span(ready_[k]).subspan(v * P, P);
    std::fill(reach.begin(), reach.end(), not_visited);
    std::fill(ready.begin(), ready.end(), not_visited);
    for (const std::uint32_t w : c.predecessors(v)) {
      for (std::size_t i = 0; i < P; ++i) {
        reach[i] = std::max(reach[i], reach_[k][w * P + i]);
        ready[i] = std::max(ready[i], ready_[k][w * P + i]);
      }
    }
    const std::size_t own = c.pool_of[v];
    ready[own] = std::max(ready[own], A_[k][v]);
    const bool fifo = ticks_.system->pools[c.pools[own]].order == Order::fifo;
    reach[own] = std::max(reach[own], fifo ? A_[k][v] : F[k][v]);
  }
}

std::vector<std::int64_t> Nodes::reached_points(std::size_t k, std::size_t local) const {
  std::vector<std::int64_t> points;
  const std::size_t P = ticks_.classes[k].pools.size();
  for (std::size_t at = local; at < reach_[k].size(); at += P) {
    if (reach_[k][at] != not_visited) points.push_back(reach_[k][at]);
  }
  return sorted_without_repeats(std::move(points));
}

/// FIFO and GPU: sum over all DAGs of ceil((F_u + a)/T_d) vol_u, with the DAG's own share put right.
void Nodes::set_fifo_waiting(std::size_t p) {
  const auto& users = ticks_.users[p];
  std::vector<Table> own(users.size());
  Table all;
  for (std::size_t i = 0; i < users.size(); ++i) {
    own[i].points = reached_points(users[i], ticks_.local_pool[users[i]][p]);
    all.points.insert(all.points.end(), own[i].points.begin(), own[i].points.end());
  }
  all.points = sorted_without_repeats(std::move(all.points));
  all.values.assign(all.points.size(), 0);
  for (const std::size_t d : users) {
    const Class& c = ticks_.classes[d];
    add_work(c, ticks_.local_pool[d][p], c.copies, F[d], all.points, all.values);
  }
  std::partial_sum(all.values.begin(), all.values.end(), all.values.begin());

  for (std::size_t i = 0; i < users.size(); ++i) {
    const std::size_t k = users[i];
    const Class& c = ticks_.classes[k];
    const std::size_t local = ticks_.local_pool[k][p];
    const std::size_t P = c.pools.size();
    own[i].values.assign(own[i].points.size(), 0);
    add_work(c, local, 1, F[k], own[i].points, own[i].values);
    std::partial_sum(own[i].values.begin(), own[i].values.end(), own[i].values.begin());
    const std::int64_t earlier = earlier_jobs(k, local);
    for (std::size_t v = 0; v < c.size(); ++v) {
      const std::int64_t a = reach_[k][v * P + local];
      if (a == not_visited) continue;
      // d = k: [u is no strict descendant of v] + ceil(F_u/T) - 1 + floor(a/T)
      const std::int64_t mine = c.rest[v * P + local] + earlier + a / c.T * c.total[local];
      waiting_[k][v * c.slot_pool.size() + local] = all.at(a) - own[i].at(a) + mine;
      own_[k][v * c.slot_pool.size() + local] = mine;
    }
  }
}

/// sum of max(0, ceil(F_u/T) - 1) vol_u: the DAG's own jobs before the one in question.
std::int64_t Nodes::earlier_jobs(std::size_t k, std::size_t local) const {
  const Class& c = ticks_.classes[k];
  std::int64_t sum = 0;
  for (std::size_t u = 0; u < c.size(); ++u) {
    if (c.pool_of[u] == local) sum += std::max<std::int64_t>(0, jobs_in(F[k][u], c.T) - 1) * c.vol[u];
  }
  return sum;
}

/// GEL: max(0, ceil((F_u + min(b, Y_k - Y_d))/T_d)) for other DAGs, ceil(F_u/T_k) - [u is a strict descendant of v] for the DAG itself.
void Nodes::set_gel_waiting(std::size_t k, std::size_t local) {
  const Class& c = ticks_.classes[k];
  const std::size_t p = c.pools[local];
  const std::size_t P = c.pools.size();
  Table others;
  others.points = reached_points(k, local);
  others.values.assign(others.points.size(), 0);
  for (const std::size_t d : ticks_.users[p]) {
    const Class& other = ticks_.classes[d];
    const std::int64_t copies = d == k ? c.copies - 1 : other.copies;
    if (copies > 0) stairs_[d][ticks_.local_pool[d][p]].add(copies, others.points, c.Y - other.Y, others.values);
  }
  std::partial_sum(others.values.begin(), others.values.end(), others.values.begin());
  const std::int64_t earlier = earlier_jobs(k, local);
  for (std::size_t v = 0; v < c.size(); ++v) {
    const std::int64_t b = reach_[k][v * P + local];
    if (b == not_visited) continue;
    std::int64_t& own = own_[k][v * c.slot_pool.size() + local];
    own = c.rest[v * P + local] + earlier;
    waiting_[k][v * c.slot_pool.size() + local] = others.at(b) + own;
  }
}

/// T10c: what the pool has left when the job is released, less the strict descendants of each node.
void Nodes::set_carried(std::size_t k) {
  const Class& c = ticks_.classes[k];
  const std::size_t slots = c.slot_pool.size();
  bool first = true;
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    const auto& pool = carried_by_[c.pools[i]];
    if (!pool) continue;
    const Wide left = pool->work(k).total;
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
  std::vector<std::int64_t> length;
  for (std::size_t v = 0; v < c.size(); ++v) {
    const std::size_t p = c.pools[c.pool_of[v]];
    const Order order = ticks_.system->pools[p].order;
    if (order != Order::gel_non_preemptive && order != Order::fixed_non_preemptive) continue;
    if (length.empty()) length = static_lengths(c);
    length[v] += by_priority_[p] ? by_priority_[p]->blocking(k, v, A_[k][v], F)
                                 : blocking(ticks_, pieces_[p], k, A_[k][v], [&](std::size_t d, std::size_t u) { return F[d][u]; });
  }
  if (!length.empty()) set_pool_sets(c, length);
}

}  // namespace rta::analysis::path
