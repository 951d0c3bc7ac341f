#include "analysis/path/path_due.hpp"

#include <algorithm>
#include <functional>

namespace rta::analysis::path {

Due::Due(const Ticks& ticks)
    : ticks_(ticks), changed_(ticks.classes.size(), 0), pool_changed_(ticks.system->pools.size(), 0), users_(pool_changed_.size()) {
  for (std::size_t p = 0; p < users_.size(); ++p) {
    if (ticks.system->pools[p].order != Order::fixed) continue;
    for (const std::size_t k : ticks.users[p]) users_[p].push_back({ticks.classes[k].levels[ticks.local_pool[k][p]].priority.back(), k});
    std::ranges::stable_sort(users_[p], std::greater(), &User::priority);
  }
}

bool Due::is_due(std::size_t k) const {
  for (std::size_t i = 0; i < ticks_.classes[k].pools.size(); ++i) {
    if (is_due(k, i)) return true;
  }
  return false;
}

bool Due::is_due(std::size_t k, std::size_t local) const {
  const Class& c = ticks_.classes[k];
  const std::size_t p = c.pools[local];
  if (pool_changed_[p] + 1 < round_) return false;
  if (users_[p].empty()) return true;
  const std::uint32_t least = c.levels[local].priority.front();
  for (const User& user : users_[p]) {
    if (user.priority < least) return false;
    if (changed_[user.k] + 1 >= round_) return true;
  }
  return false;
}

void Due::all() {
  std::ranges::fill(changed_, round_);
  std::ranges::fill(pool_changed_, round_);
}

void Due::changed(std::size_t k) {
  changed_[k] = round_;
  for (const std::size_t p : ticks_.classes[k].pools) pool_changed_[p] = round_;
}

}  // namespace rta::analysis::path
