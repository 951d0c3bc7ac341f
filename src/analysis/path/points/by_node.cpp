#include "analysis/path/points/by_node.hpp"

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
  if (points_.size() == 1) return std::min(points_.front().F, points_.front().Y - y);
  // F rises and Y - y falls: the maximum of the lesser one is where they cross.
  const auto at = std::ranges::partition_point(points_, [&](const Point& p) { return p.F < p.Y - y; });
  std::int64_t lim = std::numeric_limits<std::int64_t>::min();
  if (at != points_.end()) lim = at->Y - y;
  if (at != points_.begin()) lim = std::max(lim, std::prev(at)->F);
  return lim;
}

PoolByNode::PoolByNode(const Ticks& ticks, std::size_t pool)
    : ticks_(ticks), pool_(pool), below_(ticks.classes.size()), waiting_(ticks.classes.size()) {
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    first_.push_back(nodes_.size());
    const std::size_t local = ticks.local_pool[k][pool];
    if (local == SIZE_MAX) continue;
    const Class& c = ticks.classes[k];
    for (std::uint32_t u = 0; u < c.size(); ++u) {
      if (c.pool_of[u] != local || c.vol[u] == Tick::zero()) continue;
      nodes_.push_back({0, c.point[u], c.T, c.J, c.copies * c.vol[u]});
      node_of_class_.push_back(u);
    }
    below_[k] = Relations::strict_descendants(c, std::span(node_of_class_).subspan(first_[k]));
    waiting_[k].starts.resize(c.size());
    waiting_[k].others.resize(c.size());
  }
  first_.push_back(nodes_.size());
}

void PoolByNode::changed(std::size_t k, std::span<const std::int64_t> F) {
  // So many changes cost more to look at than all nodes.
  if (changes_.size() > nodes_.size()) {
    dropped_ += changes_.size();
    changes_.clear();
  }
  for (std::size_t i = first_[k]; i < first_[k + 1]; ++i) {
    const std::int64_t to = F[node_of_class_[i]];
    if (nodes_[i].F == to) continue;
    changes_.push_back({i, nodes_[i].F, to});
    nodes_[i].F = to;
  }
}

std::vector<Tick> PoolByNode::waiting(std::size_t k, std::span<const std::int64_t> F) {
  Waiting& last = waiting_[k];
  std::vector<bool> anew = set_starts(k, F);
  if (last.seen < dropped_) anew.assign(anew.size(), true);
  std::vector<Tick> waiting(anew.size());
  for (std::size_t v = 0; v < waiting.size(); ++v) {
    const LastStarts& starts = last.starts[v];
    if (starts.empty()) continue;
    if (anew[v]) {
      last.others[v] = of_others(k, starts);
    } else {
      last.others[v] += changes_of_others(k, starts, last.seen - dropped_);
    }
    waiting[v] = last.others[v] + of_own(k, v, starts);
  }
  last.seen = dropped_ + changes_.size();
  return waiting;
}

/// Node -> whether the nodes that its paths may wait for are others than before, or there or due at other times.
std::vector<bool> PoolByNode::set_starts(std::size_t k, std::span<const std::int64_t> F) {
  const Class& c = ticks_.classes[k];
  const std::size_t local = ticks_.local_pool[k][pool_];
  std::vector<LastStarts> starts(c.size());
  std::vector<bool> anew(c.size());
  for (const std::uint32_t v : c.order) {
    for (const std::uint32_t w : c.predecessors(v)) starts[v].add(starts[w]);
    if (c.pool_of[v] == local) starts[v].add(F[v], c.point[v]);
    anew[v] = starts[v] != waiting_[k].starts[v];
  }
  waiting_[k].starts = std::move(starts);
  return anew;
}

Tick PoolByNode::of_others(std::size_t k, const LastStarts& starts) const {
  Tick sum;
  for (std::size_t i = 0; i < first_[k]; ++i) sum += work(nodes_[i], nodes_[i].F, starts);
  for (std::size_t i = first_[k + 1]; i < nodes_.size(); ++i) sum += work(nodes_[i], nodes_[i].F, starts);
  return sum;
}

Tick PoolByNode::changes_of_others(std::size_t k, const LastStarts& starts, std::size_t since) const {
  Tick sum;
  for (const Change& change : std::span(changes_).subspan(since)) {
    const Node& node = nodes_[change.node];
    if (!is_of(k, change.node)) sum += work(node, change.to, starts) - work(node, change.from, starts);
  }
  return sum;
}

/// Of the DAG itself, and of others equal to it.
Tick PoolByNode::of_own(std::size_t k, std::size_t v, const LastStarts& starts) const {
  const Class& c = ticks_.classes[k];
  Tick sum;
  for (std::size_t i = first_[k]; i < first_[k + 1]; ++i) {
    const Node& node = nodes_[i];
    const std::int64_t lim = starts.lim(node.point);
    const std::int64_t of_others = late_jobs_in(node.F + lim, c.T, c.J);
    const std::int64_t jobs = (c.copies - 1) * of_others + own_late_jobs(lim, node.F, c.T, c.J, below_[k].has(v, i - first_[k]));
    sum += jobs * c.vol[node_of_class_[i]];
  }
  return sum;
}

}  // namespace rta::analysis::path
