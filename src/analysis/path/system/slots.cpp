// What paths pay for: per pool, and under fixed priorities per priority of their DAG's own nodes there.
#include <algorithm>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

void set_slots(Class& c, const System& system) {
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    c.slot_pool.push_back(i);
    Levels& levels = c.levels.emplace_back();
    if (!by_fixed_priority(system.pools[c.pools[i]].order)) continue;
    for (std::size_t v = 0; v < c.size(); ++v) {
      if (c.pool_of[v] == i) levels.priority.push_back(c.priority[v]);
    }
    std::ranges::sort(levels.priority);
    levels.priority.erase(std::unique(levels.priority.begin(), levels.priority.end()), levels.priority.end());
    levels.slot.assign(levels.priority.size(), i);
  }
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    auto& slots = c.levels[i].slot;
    for (std::size_t level = 0; level + 1 < slots.size(); ++level) {
      slots[level] = c.slot_pool.size();
      c.slot_pool.push_back(i);
    }
  }
  c.pays.reserve(c.size());
  for (std::size_t v = 0; v < c.size(); ++v) {
    const Levels& levels = c.levels[c.pool_of[v]];
    std::uint64_t mask = bit_of(c.pool_of[v]);
    for (std::size_t level = levels.slot.size(); level > 0 && levels.priority[level - 1] >= c.priority[v]; --level) {
      mask |= bit_of(levels.slot[level - 1]);
    }
    c.pays.push_back(mask);
  }
}

}  // namespace rta::analysis::path
