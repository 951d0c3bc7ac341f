// Release at offsets.
#include <algorithm>

#include "analysis/policies/components.hpp"
#include "analysis/policies/late_pool_bounds.hpp"
#include "analysis/policies/lp_pools.hpp"
#include "analysis/policies/offset_proof.hpp"
#include "analysis/policies/path_proof.hpp"
#include "analysis/policies/policies.hpp"
#include "analysis/search/cost.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

/// Under fixed priorities a node that is released at its offset is a segment of its own: T11, and T10n on the other pools.
Proof prove_node_by_node(std::shared_ptr<const TaskSet> task_set, const Options& options) {
  const PathInput input(std::move(task_set), options);
  if (!input.weights) return path_proof(input, Release::offsets, PathBounds(input.weights.reason()), path::Refinement::T10g);
  const Segmentation segments = segment_per_node(*input.task_set);
  std::optional<PathBounds> best;
  const auto cost = [&](const PathBounds& bounds) { return cost_of(*input.task_set, bounds->R, options.objective); };
  for (const PlatformWeights& weights : *input.weights) {
    PathBounds bounds = path_bounds(
        segment_bounds(*input.task_set, segments, weights, input.Y, path::Refinement::T10g, limits(options, "offsets, by fixed priority")));
    if (best && *best && (!bounds || cost(bounds) >= cost(*best))) continue;
    best = std::move(bounds);
  }
  const auto turns = *best ? std::nullopt : with_turns(input.weights->back(), input.in_turn);
  const path::Limits within = limits(options, "offsets, kernels in turn");
  if (turns) {
    PathBounds bounds = path_bounds(segment_bounds(*input.task_set, segments, *turns, input.Y, path::Refinement::T10g, within));
    if (bounds) best = std::move(bounds);
  }
  if (*best) *best = least_with_turns(input, std::move(**best), path::Refinement::T10g, within);
  return path_proof(input, Release::offsets, *std::move(best), path::Refinement::T10g);
}

/// In place of what was taken back beside fixed priorities.
void add_fixed_priorities(Proof& proof, const Options& options) {
  for (const auto& dags : components(*proof.task_set)) {
    if (!pool_under_fp(*proof.task_set, dags)) continue;
    Proof part = prove_node_by_node(part_of(*proof.task_set, dags), options);
    if (std::ranges::all_of(part.dags, [](const DagProof& dag) { return dag.bound.has_value(); })) {
      take_over(std::move(part), dags, proof);
      continue;
    }
    for (PoolId p = 0; p < part.pools.size(); ++p) {
      if (part.pools[p].none) proof.pools[p].none = part.pools[p].none;
    }
  }
}

}  // namespace

Proof prove_at_offsets(std::shared_ptr<const TaskSet> task_set, const Options& given) {
  Options options = given;
  const bool early = options.release == Release::early || options.refinement == gel::Refinement::early;
  if (early) options.refinement = gel::Refinement::early;
  require(!measured_alone(*task_set), "company is added to durations before bounds rest on them");
  PoolNodes nodes = nodes_of_pools(*task_set);
  set_priority_points(*task_set, nodes);
  const auto pools = task_set->pools();
  std::vector<PoolResult> results(nodes.size());
  for (PoolId p = 0; p < nodes.size(); ++p) {
    if (!chosen_by_lp(pools[p])) results[p] = late_pool_bounds(*task_set, p, nodes[p], options);
  }
  std::vector<std::string> warnings;
  if (std::ranges::any_of(pools, chosen_by_lp)) bound_lp_pools(*task_set, nodes, results, options, warnings);
  Proof proof = proof_at_offsets(std::move(task_set), nodes, std::move(results));
  if (!early) add_fixed_priorities(proof, options);
  for (const Pool& pool : proof.task_set->pools()) {
    const auto* const cpu = std::get_if<CpuPool>(&pool.resource);
    if (options.cpu_bound == CpuBound::best || cpu == nullptr || cpu->scheduler != Scheduler::fp) continue;
    warnings.push_back("--cpu-bound says nothing of pool '" + pool.name + "': fixed priorities have T11's bounds");
  }
  proof.release = given.release == Release::early ? Release::early : Release::offsets;
  proof.warnings = std::move(warnings);
  return proof;
}

}  // namespace rta::analysis
