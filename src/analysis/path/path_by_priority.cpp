#include "analysis/path/path_by_priority.hpp"

#include <algorithm>

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

PoolByPriority::PoolByPriority(const Ticks& ticks, std::size_t pool)
    : ticks_(ticks), pool_(pool), uses_(ticks.classes.size()), above_(ticks.classes.size()), below_(ticks.classes.size()) {
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
    if (c.size() * nodes.size() > most_relations) continue;
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
  const std::size_t slots = c.slot_pool.size();
  std::vector<Last> last(levels.priority.size());
  for (std::size_t v = 0; v < c.size(); ++v) {
    const auto of_node = waiting.subspan(v * slots, slots);
    for (const std::size_t slot : levels.slot) of_node[slot] = 0;
    std::ranges::fill(last, Last{});
    bool any = false;
    std::size_t level = 0;
    for (std::size_t i = 0; i < uses_[k].size(); ++i) {
      const Use& q = uses_[k][i];
      while (levels.priority[level] < q.priority) ++level;
      if (!is_above(k, v, i)) continue;
      last[level].F = std::max(last[level].F, F[k][q.u]);
      last[level].A = std::max(last[level].A, A[k][q.u]);
      any = true;
    }
    if (!any) continue;
    for (const std::size_t d : ticks_.users[pool_]) add_jobs(k, v, d, F, last, of_node);
  }
}

void PoolByPriority::add_jobs(std::size_t k, std::size_t v, std::size_t d, const PerClass& F, std::span<const Last> last,
                              std::span<std::int64_t> waiting) const {
  const Levels& levels = ticks_.classes[k].levels[ticks_.local_pool[k][pool_]];
  const bool equals_any = ticks_.system->pools[pool_].equals_any;
  const Class& other = ticks_.classes[d];
  const std::int64_t copies = other.copies - (d == k ? 1 : 0);
  std::int64_t less_urgent = -1;  // max of F_q over pi_q < pi_u
  std::size_t level = 0;
  for (std::size_t i = 0; i < uses_[d].size(); ++i) {
    const Use& use = uses_[d][i];
    for (; level < last.size() && levels.priority[level] < use.priority; ++level) less_urgent = std::max(less_urgent, last[level].F);
    std::int64_t lim = less_urgent;
    std::size_t up_to = level;
    if (level < last.size() && levels.priority[level] == use.priority) {
      lim = std::max(lim, equals_any ? last[level].F : last[level].A);
      ++up_to;
    }
    if (lim < 0) continue;
    std::int64_t jobs = copies == 0 ? 0 : copies * jobs_in(F[d][use.u] + lim, other.T);
    if (d == k) jobs += own_jobs_by_priority(lim, F[k][use.u], other.T, is_below(k, v, i));
    waiting[levels.slot[up_to - 1]] += jobs * use.vol;
  }
}

std::int64_t PoolByPriority::blocking(std::size_t k, std::size_t q, std::int64_t A, const PerClass& F) const {
  std::int64_t free = ticks_.system->pools[pool_].capacity;
  std::int64_t sum = 0;
  const std::uint32_t priority = ticks_.classes[k].priority[q];
  for (const Piece& piece : pieces_) {
    if (free == 0 || piece.length == 0) break;
    const Use& use = uses_[piece.c][piece.i];
    if (use.priority >= priority) continue;
    const Class& c = ticks_.classes[piece.c];
    const std::int64_t end = F[piece.c][use.u];
    std::int64_t others = c.copies;
    std::int64_t count = 0;
    if (piece.c == k) {
      count = own_jobs_by_priority(A, end, c.T, !parallel(k, q, piece.i));
      --others;
    }
    count += std::min(free, others) * std::min(free, jobs_in(end + A, c.T));
    count = std::min(count, free);
    sum += count * piece.length;
    free -= count;
  }
  return sum;
}

}  // namespace rta::analysis::path
