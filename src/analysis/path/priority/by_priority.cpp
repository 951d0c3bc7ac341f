#include "analysis/path/priority/by_priority.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include "analysis/path/system/own_jobs.hpp"

namespace rta::analysis::path {
namespace {

constexpr std::size_t most_relations = 1'600'000'000;  // 200 MB

}  // namespace

PoolByPriority::PoolByPriority(const Ticks& ticks, std::size_t pool, std::optional<std::size_t> only)
    : ticks_(ticks),
      pool_(pool),
      uses_(ticks.classes.size()),
      blocks_(uses_.size()),
      above_(ticks.classes.size()),
      below_(ticks.classes.size()) {
  for (const std::size_t k : ticks.users[pool]) {
    const Class& c = ticks.classes[k];
    const std::size_t local = ticks.local_pool[k][pool];
    for (std::uint32_t u = 0; u < c.size(); ++u) {
      if (c.pool_of[u] == local) uses_[k].push_back({u, c.priority[u], c.vol[u]});
    }
    std::ranges::stable_sort(uses_[k], {}, &Use::priority);
    std::vector<std::uint32_t> nodes;
    nodes.reserve(uses_[k].size());
    for (std::size_t i = 0; i < uses_[k].size(); ++i) {
      nodes.push_back(uses_[k][i].u);
      pieces_.push_back({uses_[k][i].vol, k, i});
    }
    for (std::size_t i = 0; i < nodes.size() && ticks.system->pools[pool].sm; ++i) {
      const Node& node = ticks.system->dags[c.dags.front()].nodes[nodes[i]];
      blocks_[k].push_back({node.demand, node.s});
    }
    if (c.size() * nodes.size() > most_relations || (only && k != *only)) continue;
    above_[k] = Relations::ancestors_or_selves(c, nodes);
    below_[k] = Relations::strict_descendants(c, nodes);
  }
  std::ranges::stable_sort(pieces_, std::ranges::greater(), &Piece::length);
}

std::vector<Staircase>& PoolByPriority::stairs_of(std::size_t k, const PerClass& F) {
  auto& stairs = stairs_[k];
  if (stairs.empty()) {
    std::vector<std::uint32_t> nodes;
    for (std::size_t i = 0; i < uses_[k].size(); ++i) {
      nodes.push_back(uses_[k][i].u);
      if (i + 1 < uses_[k].size() && uses_[k][i + 1].priority == uses_[k][i].priority) continue;
      stairs.emplace_back(ticks_.classes[k], nodes);
      nodes.clear();
    }
    stale_[k] = true;
  }
  if (stale_[k]) {
    for (Staircase& level : stairs) level.set(F[k]);
  }
  stale_[k] = false;
  return stairs;
}

WorkAbove PoolByPriority::above(std::size_t k, const PerClass& F) {
  stairs_.resize(uses_.size());
  stale_.resize(uses_.size());
  std::vector<WorkAbove::Dag> above;
  for (const std::size_t d : ticks_.users[pool_]) {
    if (uses_[d].front().priority <= uses_[k].back().priority) continue;
    for (const Staircase& level : stairs_of(d, F)) above.push_back({ticks_.classes[d].copies, &level});
  }
  const Class& c = ticks_.classes[k];
  const bool later = ticks_.system->pools[pool_].equals_any;
  return {std::move(above), {c.T, later ? c.total[ticks_.local_pool[k][pool_]] : Tick::zero()}, ticks_.Q};
}

void PoolByPriority::set_waiting(std::size_t k, const PerClass& F, const PerClass& A, std::span<Tick> waiting) {
  stairs_.resize(uses_.size());
  stale_.resize(uses_.size());
  const Class& c = ticks_.classes[k];
  const Levels& levels = c.levels[ticks_.local_pool[k][pool_]];
  const bool equals_any = ticks_.system->pools[pool_].equals_any;
  const std::size_t slots = c.slot_pool.size();
  for (const std::size_t slot : levels.slot) {
    for (std::size_t at = slot; at < waiting.size(); at += slots) waiting[at] = Tick::zero();
  }
  lim_of_higher_.assign(c.size(), -1);
  std::size_t q = 0;
  for (std::size_t level = 0; level < levels.priority.size(); ++level) {
    const std::uint64_t here = levels.priority[level];
    const std::size_t first = q;
    while (q < uses_[k].size() && uses_[k][q].priority == here) ++q;
    add_limits(k, first, q, F, A);
    const bool highest = level + 1 == levels.priority.size();
    const std::uint64_t next = highest ? std::uint64_t{UINT32_MAX} + 1 : levels.priority[level + 1];
    if (equals_any) {
      add_jobs(k, levels.slot[level], here, next, F, lim_of_higher_, waiting);
    } else {
      add_jobs(k, levels.slot[level], here, here + 1, F, lim_of_equals_, waiting);
      add_jobs(k, levels.slot[level], here + 1, next, F, lim_of_higher_, waiting);
    }
    add_own_jobs(k, levels.slot[level], first, q, F[k], waiting);
  }
}

void PoolByPriority::add_limits(std::size_t k, std::size_t from, std::size_t to, const PerClass& F, const PerClass& A) {
  const bool equals_any = ticks_.system->pools[pool_].equals_any;
  lim_of_equals_ = lim_of_higher_;
  const auto add = [&](std::size_t v, std::size_t q) {
    const std::int64_t end = F[k][uses_[k][q].u];
    lim_of_higher_[v] = std::max(lim_of_higher_[v], end);
    lim_of_equals_[v] = std::max(lim_of_equals_[v], equals_any ? end : A[k][uses_[k][q].u]);
  };
  for (std::size_t v = 0; v < lim_of_higher_.size(); ++v) {
    if (!above_[k].empty()) {
      above_[k].visit(v, from, to, [&](std::size_t q) { add(v, q); });
      continue;
    }
    for (std::size_t q = from; q < to; ++q) add(v, q);
  }
}

void PoolByPriority::add_jobs(std::size_t k, std::size_t slot, std::uint64_t from, std::uint64_t to, const PerClass& F,
                              std::span<const std::int64_t> lim, std::span<Tick> waiting) {
  const Class& c = ticks_.classes[k];
  const std::size_t slots = c.slot_pool.size();
  auto& points = table_.points;
  points.clear();
  std::ranges::copy_if(lim, std::back_inserter(points), [](std::int64_t x) { return x >= 0; });
  if (points.empty()) return;
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  table_.values.assign(points.size(), Tick::zero());
  for (const std::size_t d : ticks_.users[pool_]) {
    const Class& other = ticks_.classes[d];
    const std::int64_t copies = other.copies - (d == k ? 1 : 0);
    const auto& priority = other.levels[ticks_.local_pool[d][pool_]].priority;
    auto level = static_cast<std::size_t>(std::ranges::lower_bound(priority, from) - priority.begin());
    if (copies == 0 || level == priority.size() || priority[level] >= to) continue;
    const auto& stairs = stairs_of(d, F);
    for (; level < priority.size() && priority[level] < to; ++level) stairs[level].add(copies, points, no_bound, table_.values);
  }
  std::partial_sum(table_.values.begin(), table_.values.end(), table_.values.begin());
  for (std::size_t v = 0; v < c.size(); ++v) {
    if (lim[v] >= 0) waiting[v * slots + slot] += table_.at(lim[v]);
  }
}

/// For equals, summed.
void PoolByPriority::add_own_jobs(std::size_t k, std::size_t slot, std::size_t from, std::size_t to, const std::vector<std::int64_t>& F,
                                  std::span<Tick> waiting) const {
  const Class& c = ticks_.classes[k];
  const std::size_t slots = c.slot_pool.size();
  Tick vol;
  OtherOwnJobs others(c);
  for (std::size_t i = from; i < to; ++i) {
    const Use& use = uses_[k][i];
    vol += use.vol;
    others.add(F[use.u], use.vol);
  }
  if (vol == Tick::zero()) return;
  for (std::size_t v = 0; v < c.size(); ++v) {
    const std::int64_t lim = lim_of_equals_[v];
    if (lim < 0) continue;
    Tick work = vol + others.at(lim);
    if (!below_[k].empty()) below_[k].visit(v, from, to, [&](std::size_t i) { work -= uses_[k][i].vol; });
    waiting[v * slots + slot] += work;
  }
}

/// What blocks on one SM take at most, given for each class what the largest of its blocks counts.
Tick PoolByPriority::most_on_an_sm(const std::vector<Wide>& block) const {
  const auto [at, fresh] = most_.try_emplace(block);
  if (!fresh) return at->second;
  const Pool& pool = ticks_.system->pools[pool_];
  const Wide K = pool.sm->most(std::span<const Wide>(block));
  at->second = to_tick(ceil_div(checked_mul<Wide>(K, ticks_.Q), pool.unit));
  return at->second;
}

/// T11g: K_q or, where that is less, all blocks of less urgent jobs that may be there when q becomes ready.
Tick PoolByPriority::blocking_blocks(std::size_t k, std::size_t q, std::int64_t A, const PerClass& F) const {
  const std::uint32_t priority = ticks_.classes[k].priority[q];
  std::vector<Wide> block(ticks_.system->pools[pool_].sm->demand().size());
  Tick sum;
  for (const std::size_t d : ticks_.users[pool_]) {
    const Class& c = ticks_.classes[d];
    const std::int64_t T = ticks_.least_distance(c);
    for (std::size_t i = 0; i < uses_[d].size() && uses_[d][i].priority < priority; ++i) {
      const Use& use = uses_[d][i];
      const std::int64_t end = F[d][use.u];
      std::int64_t count = (c.copies - (d == k ? 1 : 0)) * jobs_in(end + A, T);
      if (d == k) count += own_jobs_by_priority(A, end, T, !parallel(k, q, i));
      if (count == 0) continue;
      sum += count * use.vol;
      const Blocks& blocks = blocks_[d][i];
      block[blocks.demand] = std::max(block[blocks.demand], blocks.each);
    }
  }
  return sum == Tick::zero() ? sum : std::min(sum, most_on_an_sm(block));
}

Tick PoolByPriority::blocking(std::size_t k, std::size_t q, std::int64_t A, const PerClass& F) const {
  if (ticks_.system->pools[pool_].order == Order::fixed_kernels) return blocking_blocks(k, q, A, F);
  std::int64_t free = ticks_.system->pools[pool_].capacity;
  Tick sum;
  const std::uint32_t priority = ticks_.classes[k].priority[q];
  for (const Piece& piece : pieces_) {
    if (free == 0 || piece.length == Tick::zero()) break;
    const Use& use = uses_[piece.c][piece.i];
    if (use.priority >= priority) continue;
    const Class& c = ticks_.classes[piece.c];
    const std::int64_t end = F[piece.c][use.u];
    const std::int64_t T = ticks_.least_distance(c);
    std::int64_t others = c.copies;
    std::int64_t count = 0;
    if (piece.c == k) {
      count = own_jobs_by_priority(A, end, T, !parallel(k, q, piece.i));
      --others;
    }
    count += std::min(free, others) * std::min(free, jobs_in(end + A, T));
    count = std::min(count, free);
    sum += count * piece.length;
    free -= count;
  }
  return sum;
}

}  // namespace rta::analysis::path
