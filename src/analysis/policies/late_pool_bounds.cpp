#include "analysis/policies/late_pool_bounds.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

bool has_late_node(const TaskSet& task_set, std::span<const PoolNode> nodes) {
  return std::ranges::any_of(nodes, [&](const PoolNode& node) { return task_set.dags()[node.dag].attributes().jitter > Time::zero(); });
}

/// T3 and T4 count jobs of a task as T apart: they know no lateness.
bool asks_for_sequence(const Pool& pool, const Options& options) {
  return pool.kind() == PoolKind::cpu && (options.cpu_bound == CpuBound::T3 || options.cpu_bound == CpuBound::T4);
}

/// The bounds with T - J, and the load of nominal periods, which is what the pool is asked for in the long run.
PoolResult with_load_of(PoolResult closer, const PoolProof& nominal) {
  closer.proof.utilization = nominal.utilization;
  return closer;
}

/// Each node's lesser bound.
PoolResult lesser(std::span<const PoolNode> nodes, PoolResult closer, PoolResult nominal) {
  if (nominal.bounds.empty()) return closer.bounds.empty() ? nominal : with_load_of(std::move(closer), nominal.proof);
  const auto first = static_cast<std::uint32_t>(nominal.evidence.size());
  std::vector<std::optional<Bound>> least = std::exchange(nominal.bounds, {});
  bool any_nominal = false;
  bool any_closer = false;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const std::optional<Bound> other = closer.bound(k);
    const bool lower = other && (!least[k] || other->R <= least[k]->R);
    any_nominal = any_nominal || (least[k] && !lower);
    any_closer = any_closer || lower;
    if (!lower) continue;
    least[k] = other;
    least[k]->basis.evidence += first;
  }
  if (!any_nominal) return with_load_of(std::move(closer), nominal.proof);
  if (any_closer) std::ranges::move(closer.evidence, std::back_inserter(nominal.evidence));
  if (std::ranges::all_of(least, [](const auto& bound) { return bound.has_value(); })) nominal.proof.none.reset();
  nominal.proof.theorems.clear();
  nominal.proof.largest_lateness.reset();
  set_bounds(nominal, nodes, std::move(least));
  return nominal;
}

}  // namespace

PoolResult late_pool_bounds(const TaskSet& task_set, PoolId p, std::span<const PoolNode> nodes, const Options& options) {
  const Pool& pool = task_set.pools()[p];
  PoolResult closer = pool_bounds(p, pool, nodes, options);
  const bool early = options.refinement == gel::Refinement::early;
  if (early || asks_for_sequence(pool, options) || !has_late_node(task_set, nodes)) return closer;
  try {
    return lesser(nodes, std::move(closer), pool_bounds(p, pool, with_nominal_periods(task_set, nodes), options));
  } catch (const Overflow&) {
    return pool_bounds(p, pool, nodes, options);  // what holds without them stands
  }
}

}  // namespace rta::analysis
