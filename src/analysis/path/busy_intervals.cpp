#include "rta/analysis/path/busy_intervals.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "analysis/path/path_urgent.hpp"

namespace rta::analysis::path {

struct BusyIntervals::Content {
  Ticks ticks;
  UrgentPool::PerClass F, A;
  std::vector<std::optional<UrgentPool>> pools;
};

BusyIntervals::BusyIntervals(const System& system, const NodeBounds& bounds) {
  Time largest;
  for (const auto& row : bounds.F) largest = std::max(largest, *std::max_element(row.begin(), row.end()));
  const auto content = std::make_shared<Content>();
  content->ticks = to_ticks(system, std::numeric_limits<std::int64_t>::max(), largest, false);
  for (const Class& c : content->ticks.classes) {
    auto& F = content->F.emplace_back();
    auto& A = content->A.emplace_back(c.size(), 0);
    F.reserve(c.size());
    for (const Time f : bounds.F[c.dags.front()]) F.push_back(f.count());
    for (std::size_t u = 0; u < c.size(); ++u) {
      for (const std::uint32_t w : c.predecessors(u)) A[u] = std::max(A[u], F[w]);
    }
  }
  content->pools.resize(system.pools.size());
  for (std::size_t p = 0; p < system.pools.size(); ++p) {
    if (system.pools[p].order != Order::fixed || content->ticks.users[p].empty()) continue;
    content->pools[p].emplace(content->ticks, p).prepare(content->F, content->A);
  }
  content_ = content;
}

std::vector<Time> BusyIntervals::of(std::size_t k, std::size_t v) const {
  const std::size_t own = content_->ticks.class_of[k];
  const Class& c = content_->ticks.classes[own];
  const auto& pool = content_->pools[c.pools[c.pool_of[v]]];
  const auto demand = pool->demand(own, v);
  if (demand && content_->A[own][v] + demand->total() <= content_->F[own][v]) return {};
  const auto ends = pool->ends(own, v);
  return {ends.begin(), ends.end()};
}

}  // namespace rta::analysis::path
