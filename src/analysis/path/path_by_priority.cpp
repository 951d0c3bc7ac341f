#include "analysis/path/path_by_priority.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

#include "analysis/path/path_table.hpp"

namespace rta::analysis::path {
namespace {

constexpr std::size_t most_relations = 1'600'000'000;  // 200 MB

std::vector<std::size_t> places(const Class& c, const std::vector<std::uint32_t>& nodes) {
  std::vector<std::size_t> place(c.size(), nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = i;
  return place;
}

void add(std::vector<bool>& to, const std::vector<bool>& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = to[i] || from[i];
}

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
    above_[k] = ancestors_or_selves(c, nodes);
    below_[k] = strict_descendants(c, nodes);
  }
  std::ranges::stable_sort(pieces_, std::ranges::greater(), &Piece::length);
}

PoolByPriority::Bits PoolByPriority::ancestors_or_selves(const Class& c, const std::vector<std::uint32_t>& nodes) {
  const auto place = places(c, nodes);
  Bits above(c.size(), std::vector<bool>(nodes.size(), false));
  for (const std::uint32_t v : c.order) {
    for (const std::uint32_t w : c.predecessors(v)) add(above[v], above[w]);
    if (place[v] < nodes.size()) above[v][place[v]] = true;
  }
  return above;
}

PoolByPriority::Bits PoolByPriority::strict_descendants(const Class& c, const std::vector<std::uint32_t>& nodes) {
  const auto place = places(c, nodes);
  Bits below(c.size(), std::vector<bool>(nodes.size(), false));
  for (auto v = c.order.rbegin(); v != c.order.rend(); ++v) {
    for (const std::uint32_t w : c.predecessors(*v)) {
      add(below[w], below[*v]);
      if (place[*v] < nodes.size()) below[w][place[*v]] = true;
    }
  }
  return below;
}

void PoolByPriority::set_waiting(std::size_t k, const PerClass& F, const PerClass& A, std::span<std::int64_t> waiting) const {
  const Class& c = ticks_.classes[k];
  const Levels& levels = c.levels[ticks_.local_pool[k][pool_]];
  const bool equals_any = ticks_.system->pools[pool_].equals_any;
  const std::size_t slots = c.slot_pool.size();
  for (const std::size_t slot : levels.slot) {
    for (std::size_t at = slot; at < waiting.size(); at += slots) waiting[at] = 0;
  }
  std::vector<std::int64_t> lim_of_equals(c.size());
  std::vector<std::int64_t> lim_of_higher(c.size(), -1);  // -1: the path waits for nothing so urgent
  std::size_t q = 0;
  for (std::size_t level = 0; level < levels.priority.size(); ++level) {
    const std::uint32_t here = levels.priority[level];
    lim_of_equals = lim_of_higher;
    for (; q < uses_[k].size() && uses_[k][q].priority == here; ++q) {
      const std::int64_t end = F[k][uses_[k][q].u];
      const std::int64_t last = equals_any ? end : A[k][uses_[k][q].u];
      for (std::size_t v = 0; v < c.size(); ++v) {
        if (!is_above(k, v, q)) continue;
        lim_of_higher[v] = std::max(lim_of_higher[v], end);
        lim_of_equals[v] = std::max(lim_of_equals[v], last);
      }
    }
    const bool highest = level + 1 == levels.priority.size();
    const std::uint64_t next = highest ? std::uint64_t{UINT32_MAX} + 1 : levels.priority[level + 1];
    add_jobs(k, levels.slot[level], {here, std::uint64_t{here} + 1}, F, lim_of_equals, waiting);
    add_jobs(k, levels.slot[level], {std::uint64_t{here} + 1, next}, F, lim_of_higher, waiting);
  }
}

void PoolByPriority::add_jobs(std::size_t k, std::size_t slot, Urgency urgency, const PerClass& F, std::span<const std::int64_t> lim,
                              std::span<std::int64_t> waiting) const {
  const Class& c = ticks_.classes[k];
  const std::size_t slots = c.slot_pool.size();
  std::vector<std::int64_t> points;
  std::ranges::copy_if(lim, std::back_inserter(points), [](std::int64_t x) { return x >= 0; });
  if (points.empty()) return;
  Table table;
  table.points = sorted_without_repeats(std::move(points));
  table.values.assign(table.points.size(), 0);
  for (const std::size_t d : ticks_.users[pool_]) {
    const Class& other = ticks_.classes[d];
    const std::int64_t copies = other.copies - (d == k ? 1 : 0);
    const auto [first, last] = uses_between(d, urgency);
    for (std::size_t i = first; i < last && copies > 0; ++i) {
      const Use& use = uses_[d][i];
      add_work(F[d][use.u], other.T, copies * use.vol, table.points, table.values);
    }
  }
  add_own_jobs(k, slot, urgency, F[k], lim, waiting);
  std::partial_sum(table.values.begin(), table.values.end(), table.values.begin());
  for (std::size_t v = 0; v < c.size(); ++v) {
    if (lim[v] >= 0) waiting[v * slots + slot] += table.at(lim[v]);
  }
}

std::pair<std::size_t, std::size_t> PoolByPriority::uses_between(std::size_t k, Urgency urgency) const {
  const auto first = std::ranges::lower_bound(uses_[k], urgency.from, {}, &Use::priority);
  const auto last = std::ranges::lower_bound(first, uses_[k].end(), urgency.to, {}, &Use::priority);
  return {static_cast<std::size_t>(first - uses_[k].begin()), static_cast<std::size_t>(last - uses_[k].begin())};
}

/// `own_jobs_by_priority`, summed: what does not depend on v, and what does not depend on u, once each.
void PoolByPriority::add_own_jobs(std::size_t k, std::size_t slot, Urgency urgency, const std::vector<std::int64_t>& F,
                                  std::span<const std::int64_t> lim, std::span<std::int64_t> waiting) const {
  const Class& c = ticks_.classes[k];
  const std::size_t slots = c.slot_pool.size();
  const auto [first, last] = uses_between(k, urgency);
  std::int64_t vol = 0;
  std::int64_t since_before = 0;  // J itself and earlier jobs
  for (std::size_t i = first; i < last; ++i) {
    const Use& use = uses_[k][i];
    vol += use.vol;
    since_before += own_jobs_by_priority(0, F[use.u], c.T, false) * use.vol;
  }
  if (vol == 0) return;
  for (std::size_t v = 0; v < c.size(); ++v) {
    if (lim[v] < 0) continue;
    std::int64_t work = since_before + lim[v] / c.T * vol;
    for (std::size_t i = first; i < last; ++i) work -= is_below(k, v, i) ? uses_[k][i].vol : 0;
    waiting[v * slots + slot] += work;
  }
}

/// What blocks on one SM take at most, given for each class what the largest of its blocks counts; ticks.
std::int64_t PoolByPriority::most_on_an_sm(const std::vector<Wide>& block) const {
  const auto [at, fresh] = most_.try_emplace(block, 0);
  if (!fresh) return at->second;
  const Pool& pool = ticks_.system->pools[pool_];
  const Wide K = pool.sm->most(std::span<const Wide>(block));
  at->second = to_time(ceil_div(checked_mul<Wide>(K, ticks_.Q), pool.unit)).count();
  return at->second;
}

/// T11g: K_q or, where that is less, all blocks of less urgent jobs that may be there when q becomes ready.
std::int64_t PoolByPriority::blocking_blocks(std::size_t k, std::size_t q, std::int64_t A, const PerClass& F) const {
  const std::uint32_t priority = ticks_.classes[k].priority[q];
  std::vector<Wide> block(ticks_.system->pools[pool_].sm->demand().size());
  std::int64_t sum = 0;
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
  return sum == 0 ? 0 : std::min(sum, most_on_an_sm(block));
}

std::int64_t PoolByPriority::blocking(std::size_t k, std::size_t q, std::int64_t A, const PerClass& F) const {
  if (ticks_.system->pools[pool_].order == Order::fixed_kernels) return blocking_blocks(k, q, A, F);
  std::int64_t free = ticks_.system->pools[pool_].capacity;
  std::int64_t sum = 0;
  const std::uint32_t priority = ticks_.classes[k].priority[q];
  for (const Piece& piece : pieces_) {
    if (free == 0 || piece.length == 0) break;
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
