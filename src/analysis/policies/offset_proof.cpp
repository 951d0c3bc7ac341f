#include "analysis/policies/offset_proof.hpp"

#include <algorithm>
#include <iterator>

#include "analysis/policies/components.hpp"
#include "analysis/policies/end_to_end.hpp"

namespace rta::analysis {
namespace {

/// The offsets of nodes all of whose ancestors have bounds.
void add_offsets(const Dag& dag, DagProof& proof) {
  for (const NodeId v : dag.topological_order()) {
    std::optional<Time> offset = Time::zero();
    for (const NodeId u : dag.predecessors(v)) {
      const NodeProof& before = proof.nodes[u];
      const bool known = offset && before.reference && before.bound;
      offset = known ? std::optional(std::max(*offset, *before.reference + before.bound->R)) : std::nullopt;
    }
    proof.nodes[v].reference = offset;
  }
}

/// Fills in what follows from the bounds of a DAG's nodes.
void add_end_to_end(const Dag& dag, DagProof& proof) {
  if (!std::ranges::all_of(proof.nodes, [](const NodeProof& node) { return node.bound.has_value(); })) return add_offsets(dag, proof);
  std::vector<Time> R;
  R.reserve(proof.nodes.size());
  for (const NodeProof& node : proof.nodes) R.push_back(node.bound->R);
  EndToEnd whole = end_to_end(dag, R);
  proof.bound = Bound{whole.R, {Theorem::sum, 0, 0}};
  proof.critical_path = std::move(whole.critical_path);
  for (NodeId v = 0; v < proof.nodes.size(); ++v) proof.nodes[v].reference = whole.offset[v];
}

/// The pools that DAGs of this group use.
std::vector<PoolId> pools_of(const TaskSet& task_set, const std::vector<DagId>& dags) {
  std::vector<PoolId> pools;
  for (const DagId d : dags) {
    for (const Node& node : task_set.dags()[d].nodes()) pools.push_back(node.pool);
  }
  std::ranges::sort(pools);
  pools.erase(std::unique(pools.begin(), pools.end()), pools.end());
  return pools;
}

/// What follows a node of fixed priority has no offset, so nothing is known of when it comes to its own pool.
void withdraw_beside_fixed_priorities(const TaskSet& task_set, std::vector<PoolResult>& results) {
  for (const auto& dags : components(task_set)) {
    const auto fixed = pool_under_fp(task_set, dags);
    if (!fixed) continue;
    for (const PoolId p : pools_of(task_set, dags)) withdraw(results[p], p, reason::FixedPriorities{task_set.pools()[*fixed].name});
  }
}

}  // namespace

std::optional<PoolId> pool_under_fp(const TaskSet& task_set, const std::vector<DagId>& dags) {
  const std::vector<PoolId> pools = pools_of(task_set, dags);
  const auto fixed = std::ranges::find_if(pools, [&](PoolId p) {
    const auto* cpu = std::get_if<CpuPool>(&task_set.pools()[p].resource);
    return cpu != nullptr && cpu->scheduler == Scheduler::fp;
  });
  return fixed == pools.end() ? std::nullopt : std::optional(*fixed);
}

void withdraw(PoolResult& result, PoolId p, Reason reason) {
  PoolProof load = std::move(result.proof);
  load.theorems.clear();
  load.largest_lateness.reset();
  for (PoolTask& task : load.tasks) task.bound.reset();
  result = no_bound(std::move(load), p, std::move(reason));
}

std::vector<DagProof> dags_at_offsets(const TaskSet& task_set, const PoolNodes& nodes, const std::vector<PoolResult>& results) {
  std::vector<DagProof> dags(task_set.dags().size());
  for (DagId d = 0; d < dags.size(); ++d) dags[d].nodes.resize(task_set.dags()[d].nodes().size());
  std::uint32_t evidence = 0;
  for (PoolId p = 0; p < nodes.size(); ++p) {
    for (std::size_t k = 0; k < nodes[p].size(); ++k) {
      const PoolNode& node = nodes[p][k];
      if (node.awaited) continue;
      NodeProof& proof = dags[node.dag].nodes[node.id];
      const auto* cpu = std::get_if<CpuPool>(&task_set.pools()[p].resource);
      if (cpu != nullptr && cpu->scheduler != Scheduler::fp) proof.priority_point = node.Y;
      proof.bound = results[p].bound(k);
      if (proof.bound) proof.bound->basis.evidence += evidence;
    }
    evidence += static_cast<std::uint32_t>(results[p].evidence.size());
  }
  for (DagId d = 0; d < dags.size(); ++d) add_end_to_end(task_set.dags()[d], dags[d]);
  return dags;
}

Proof proof_at_offsets(std::shared_ptr<const TaskSet> task_set, const PoolNodes& nodes, std::vector<PoolResult> results) {
  Proof proof;
  withdraw_beside_fixed_priorities(*task_set, results);
  proof.dags = dags_at_offsets(*task_set, nodes, results);
  for (PoolResult& result : results) {
    for (PoolTask& task : result.proof.tasks) {
      if (task.bound) task.bound->basis.evidence += static_cast<std::uint32_t>(proof.evidence.size());
    }
    std::ranges::move(result.evidence, std::back_inserter(proof.evidence));
    for (LeftOut& one : result.left_out) {
      one.where = task_set->pools()[proof.pools.size()].name;
      add_left_out(proof.left_out, std::move(one));
    }
    proof.pools.push_back(std::move(result.proof));
  }
  proof.task_set = std::move(task_set);
  return proof;
}

}  // namespace rta::analysis
