#include "analysis/path/late/late.hpp"

#include <algorithm>

#include "analysis/path/system/quick_division.hpp"

namespace rta::analysis::path {

LatePool::LatePool(const Ticks& ticks, std::size_t pool)
    : ticks_(ticks), pool_(pool), by_node_(ticks.system->pools[pool].order == Order::gel_by_node), jitter_(ticks, pool) {
  for (const std::size_t k : ticks.users[pool]) {
    const Class& c = ticks.classes[k];
    auto same = std::ranges::find(falling_, c.T, &Falling::T);
    if (same == falling_.end()) same = falling_.insert(same, {c.T, {}});
    for (std::uint32_t u = 0; u < c.size(); ++u) {
      if (c.pool_of[u] == ticks.local_pool[k][pool] && c.vol[u] > Tick::zero())
        same->nodes.push_back({k, u, 0, Wide{c.copies} * c.vol[u].count()});
    }
  }
}

Tick LatePool::carry(const std::vector<std::vector<std::int64_t>>& F) const { return to_tick(jitter_.carry(F)); }

void LatePool::set_ready_times(const std::vector<std::vector<std::int64_t>>& A) {
  for (Falling& falling : falling_) {
    for (auto& node : falling.nodes) node.end = falling.T - point(node.c, node.u) + A[node.c][node.u];
    std::ranges::sort(falling.nodes, {}, &Falling::Node::end);
    Wide sum = 0;
    Wide product = 0;
    for (auto node = falling.nodes.rbegin(); node != falling.nodes.rend(); ++node) {
      node->sum = sum += node->work;
      node->product = product = checked_add(product, checked_mul<Wide>(node->work, node->end));
    }
  }
}

Tick LatePool::demand(std::size_t k, std::size_t v, std::int64_t A_v) const {
  Wide sum = 0;
  const std::int64_t shift = A_v - point(k, v);
  for (const Falling& falling : falling_) {
    const auto first = std::ranges::upper_bound(falling.nodes, shift, {}, &Falling::Node::end);
    if (first != falling.nodes.end()) sum += quick_ceil_div(first->product - shift * first->sum, falling.T);
  }
  // Points far apart; the caller adds to it.
  constexpr Wide largest = Wide{1} << 61U;
  return sum > largest ? unbounded : to_tick(sum);
}

}  // namespace rta::analysis::path
