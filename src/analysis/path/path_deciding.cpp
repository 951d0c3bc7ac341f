#include "analysis/path/path_deciding.hpp"

#include <algorithm>
#include <limits>

#include "analysis/path/system/over.hpp"

namespace rta::analysis::path {
namespace {

Time largest_end(const NodeBounds& bounds) {
  Time largest;
  for (const auto& row : bounds.F) largest = std::max(largest, *std::ranges::max_element(row));
  return largest;
}

}  // namespace

bool DecidingPaths::applies(const System& system) {
  return !has_release_jitter(system) && std::ranges::none_of(system.pools, [](const Pool& pool) { return pool.slices.has_value(); });
}

DecidingPaths::DecidingPaths(const System& system, const NodeBounds& bounds)
    : system_(system), bounds_(bounds), longest_(largest_end(bounds)), Q_(ticks_per_ns(system, longest_.count())) {}

DecidingPaths::Waiting::Waiting(const System& system, const NodeBounds& bounds, Time longest)
    : ticks(to_ticks(system, std::numeric_limits<std::int64_t>::max(), longest, true)), nodes(ticks, rules_of(Refinement::T10n)) {
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    const auto& ends = bounds.F[ticks.classes[k].dags.front()];
    std::ranges::transform(ends, nodes.F[k].begin(), [](Time F) { return F.count(); });
    nodes.changed(k);
  }
  nodes.prepare();
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) nodes.prepare(k);
}

const DecidingPaths::Waiting& DecidingPaths::waiting() const {
  if (!waiting_) waiting_.emplace(system_, bounds_, longest_);
  return *waiting_;
}

std::vector<std::size_t> DecidingPaths::to(std::size_t k, std::size_t v) const {
  Class alone = class_alone(system_, k, Q_);
  if (alone.slot_pool.size() == 1 && !is_non_preemptive(system_.pools[alone.pools.front()].order)) {
    // All paths to the node wait for the same.
    const auto length = static_lengths(alone);
    set_pool_sets(alone, length);
    return path_over(alone, v, length, alone.pool_sets_of(v).front());
  }
  const auto& [ticks, nodes] = waiting();
  const std::size_t of = ticks.class_of[k];
  const Class& c = ticks.classes[of];
  const auto waits = nodes.waiting(of, v);
  PoolSet decisive;
  Tick total = Tick::min();
  for (const PoolSet& set : c.pool_sets_of(v)) {
    const Tick length = longest_with_waiting(std::span(&set, 1), waits);
    if (length <= total) continue;
    total = length;
    decisive = set;
  }
  return path_over(c, v, nodes.blocked_lengths(of), decisive);
}

}  // namespace rta::analysis::path
