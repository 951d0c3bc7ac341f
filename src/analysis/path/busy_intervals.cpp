#include "rta/analysis/path/busy_intervals.hpp"

#include <optional>

#include "analysis/path/derivation/proven_ends.hpp"
#include "analysis/path/late/late_sums.hpp"
#include "analysis/path/priority/urgent.hpp"

namespace rta::analysis::path {

struct BusyIntervals::Content {
  ProvenEnds proven;
  std::vector<std::optional<UrgentPool>> pools;
};

BusyIntervals::BusyIntervals(const System& system, const NodeBounds& bounds) {
  const auto content = std::make_shared<Content>(Content{proven_ends(system, bounds, false), {}});
  content->pools.resize(system.pools.size());
  const EndsOfClasses F = since_nominal(content->proven.ticks, content->proven.F);
  const EndsOfClasses A = since_nominal(content->proven.ticks, content->proven.A);
  for (std::size_t p = 0; p < system.pools.size(); ++p) {
    if (system.pools[p].order != Order::fixed || content->proven.ticks.users[p].empty()) continue;
    content->pools[p].emplace(content->proven.ticks, p).prepare(F, A);
  }
  content_ = content;
}

std::vector<Time> BusyIntervals::of(std::size_t k, std::size_t v) const {
  const std::size_t own = content_->proven.ticks.class_of[k];
  const Class& c = content_->proven.ticks.classes[own];
  const auto& pool = content_->pools[c.pools[c.pool_of[v]]];
  const auto demand = pool->demand(own, v);
  if (demand && content_->proven.A[own][v] + demand->total() <= content_->proven.F[own][v]) return {};
  const auto ends = pool->ends(own, v);
  return {ends.begin(), ends.end()};
}

}  // namespace rta::analysis::path
