#include "path_late.hpp"

namespace rta::analysis::path {

LatePool::LatePool(const Ticks& ticks, std::size_t pool)
    : ticks_(ticks),
      pool_(pool),
      by_node_(ticks.system->pools[pool].order == Order::gel_by_node),
      jitter_(ticks, pool),
      nodes_(ticks.classes.size()) {
  for (const std::size_t k : ticks.users[pool]) {
    const Class& c = ticks.classes[k];
    for (std::uint32_t u = 0; u < c.size(); ++u) {
      if (c.pool_of[u] == ticks.local_pool[k][pool] && c.vol[u] > 0) nodes_[k].push_back(u);
    }
  }
}

std::int64_t LatePool::carry(const std::vector<std::vector<std::int64_t>>& F) const { return to_time(jitter_.carry(F)).count(); }

std::int64_t LatePool::demand(std::size_t k, std::size_t v, std::int64_t A_v, const std::vector<std::vector<std::int64_t>>& A) const {
  Wide sum = 0;
  const std::int64_t shift = A_v - point(k, v);
  for (const std::size_t d : ticks_.users[pool_]) {
    const Class& c = ticks_.classes[d];
    for (const std::uint32_t u : nodes_[d]) {
      const std::int64_t left = c.T - (point(d, u) + shift - A[d][u]);
      if (left > 0) sum += c.copies * ceil_div(Wide{c.vol[u]} * left, c.T);
    }
  }
  return to_time(sum).count();
}

}  // namespace rta::analysis::path
