// Release at offsets.
#include <algorithm>

#include "analysis/policies/lp_pools.hpp"
#include "analysis/policies/offset_proof.hpp"
#include "analysis/policies/policies.hpp"

namespace rta::analysis {

Proof prove_at_offsets(std::shared_ptr<const TaskSet> task_set, const Options& given) {
  Options options = given;
  const bool early = options.release == Release::early || options.refinement == gel::Refinement::early;
  if (early) options.refinement = gel::Refinement::early;
  PoolNodes nodes = nodes_of_pools(*task_set);
  set_priority_points(*task_set, nodes);
  const auto pools = task_set->pools();
  std::vector<PoolResult> results(nodes.size());
  for (PoolId p = 0; p < nodes.size(); ++p) {
    if (!chosen_by_lp(pools[p])) results[p] = pool_bounds(p, pools[p], nodes[p], options);
  }
  std::vector<std::string> warnings;
  if (std::ranges::any_of(pools, chosen_by_lp)) bound_lp_pools(*task_set, nodes, results, options, warnings);
  Proof proof = proof_at_offsets(std::move(task_set), nodes, std::move(results));
  proof.release = given.release == Release::early ? Release::early : Release::offsets;
  proof.warnings = std::move(warnings);
  return proof;
}

}  // namespace rta::analysis
