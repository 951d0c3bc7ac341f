#include "analysis/path/path_by_node.hpp"

#include <algorithm>
#include <limits>

namespace rta::analysis::path {

void LastStarts::add(std::int64_t F, std::int64_t Y) {
  const auto at = std::ranges::lower_bound(points_, F, {}, &Point::F);
  if (at != points_.end() && at->Y >= Y) return;
  auto first = at;
  while (first != points_.begin() && std::prev(first)->Y <= Y) --first;
  auto last = at;
  if (last != points_.end() && last->F == F) ++last;
  points_.insert(points_.erase(first, last), {F, Y});
}

void LastStarts::add(const LastStarts& other) {
  for (const Point& point : other.points_) add(point.F, point.Y);
}

std::int64_t LastStarts::lim(std::int64_t y) const {
  // F rises and Y - y falls: the maximum of the lesser one is where they cross.
  const auto at = std::ranges::partition_point(points_, [&](const Point& p) { return p.F < p.Y - y; });
  std::int64_t lim = std::numeric_limits<std::int64_t>::min();
  if (at != points_.end()) lim = at->Y - y;
  if (at != points_.begin()) lim = std::max(lim, std::prev(at)->F);
  return lim;
}

PoolByNode::PoolByNode(const Ticks& ticks, std::size_t pool)
    : ticks_(ticks), pool_(pool), nodes_(ticks.classes.size()), strict_(ticks.classes.size()) {
  for (const std::size_t k : ticks.users[pool]) {
    const Class& c = ticks.classes[k];
    const std::size_t local = ticks.local_pool[k][pool];
    std::vector<std::size_t> place(c.size(), c.size());
    for (std::uint32_t u = 0; u < c.size(); ++u) {
      if (c.pool_of[u] != local || c.vol[u] == Tick::zero()) continue;
      place[u] = nodes_[k].size();
      nodes_[k].push_back(u);
    }
    auto& strict = strict_[k];
    strict.assign(c.size(), std::vector<bool>(nodes_[k].size(), false));
    for (auto it = c.order.rbegin(); it != c.order.rend(); ++it) {
      for (const std::uint32_t w : c.predecessors(*it)) {
        for (std::size_t i = 0; i < nodes_[k].size(); ++i) strict[w][i] = strict[w][i] || strict[*it][i];
        if (place[*it] < c.size()) strict[w][place[*it]] = true;
      }
    }
  }
}

std::vector<Tick> PoolByNode::waiting(std::size_t k, const std::vector<std::vector<std::int64_t>>& F) const {
  const Class& c = ticks_.classes[k];
  const std::size_t local = ticks_.local_pool[k][pool_];
  std::vector<LastStarts> starts(c.size());
  std::vector<Tick> waiting(c.size());
  for (const std::uint32_t v : c.order) {
    for (const std::uint32_t w : c.predecessors(v)) starts[v].add(starts[w]);
    if (c.pool_of[v] == local) starts[v].add(F[k][v], c.point[v]);
    if (starts[v].empty()) continue;
    Tick sum;
    for (const std::size_t d : ticks_.users[pool_]) {
      const Class& other = ticks_.classes[d];
      const std::int64_t copies = other.copies - (d == k ? 1 : 0);
      for (std::size_t i = 0; i < nodes_[d].size(); ++i) {
        const std::uint32_t u = nodes_[d][i];
        const std::int64_t lim = starts[v].lim(other.point[u]);
        std::int64_t jobs = copies == 0 ? 0 : copies * jobs_in(F[d][u] + lim, other.T);
        if (d == k) jobs += own_jobs(lim, F[d][u], c.T, strict_[k][v][i]);
        sum += jobs * other.vol[u];
      }
    }
    waiting[v] = sum;
  }
  return waiting;
}

}  // namespace rta::analysis::path
