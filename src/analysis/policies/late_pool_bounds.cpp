#include "analysis/policies/late_pool_bounds.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

/// T3, T4 and what was published count jobs of a task as T apart: they know no lateness.
bool knows_no_lateness(const Pool& pool, const Options& options) {
  return pool.kind() == PoolKind::cpu && options.cpu_bound != CpuBound::best && options.cpu_bound != CpuBound::T1;
}

/// Each node's lesser bound.
PoolResult lesser(std::span<const PoolNode> nodes, PoolResult closer, PoolResult nominal) {
  if (nominal.bounds.empty()) return closer.bounds.empty() ? nominal : closer;
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
  if (!any_nominal) return closer;
  if (any_closer) add_left_out(nominal.left_out, std::move(closer.left_out));
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
  if (!some_late(task_set, nodes)) return pool_bounds(p, pool, nodes, options);
  using Why = reason::CloserReleases::Why;
  const bool early = options.refinement == gel::Refinement::early;
  PoolResult closer = with_load_of_periods(task_set, p, nodes, options, early ? Why::early : Why::asked_for);
  if (early || knows_no_lateness(pool, options)) return closer;
  std::optional<PoolResult> nominal;
  try {
    nominal = pool_bounds(p, pool, with_nominal_periods(task_set, nodes), options);
  } catch (const Overflow&) {  // what holds without them stands
    return with_load_of_periods(task_set, p, nodes, options, Why::out_of_range);
  }
  return lesser(nodes, std::move(closer), *std::move(nominal));
}

}  // namespace rta::analysis
