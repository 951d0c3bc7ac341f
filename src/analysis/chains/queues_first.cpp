// On which pools bounds rest on what a processor does between two nodes.
#include <fmt/format.h>

#include <algorithm>

#include "rta/analysis/chains.hpp"

namespace rta::analysis {
namespace {

/// Whether less urgent work that has started runs to its end.
bool blocks(const Pool& pool) {
  const auto* cpu = std::get_if<CpuPool>(&pool.resource);
  return cpu != nullptr && !cpu->preemptive && cpu->scheduler != Scheduler::fifo;
}

/// The pools that block on the paths to nodes of DAG d with bounds by T10d.
void add_whole(const Proof& proof, DagId d, std::vector<bool>& pools) {
  const auto by_whole = [](const NodeProof& node) { return node.bound && node.bound->basis.theorem == Theorem::T10d; };
  if (std::ranges::none_of(proof.dags[d].nodes, by_whole)) return;
  const Dag& dag = proof.task_set->dags()[d];
  std::vector<bool> before(dag.nodes().size());  // itself or what precedes some node by T10d
  const auto order = dag.topological_order();
  for (auto v = order.rbegin(); v != order.rend(); ++v) {
    before[*v] = by_whole(proof.dags[d].nodes[*v]) || std::ranges::any_of(dag.successors(*v), [&](NodeId w) { return before[w]; });
    const PoolId p = dag.nodes()[*v].pool;
    if (before[*v] && blocks(proof.task_set->pools()[p])) pools[p] = true;
  }
}

/// Where a stage that is more urgent than the next shortens reactions.
void add_urgent_stages(const Proof& proof, const ChainProof& chain, std::vector<bool>& pools) {
  if (!chain.bound) return;
  for (std::size_t i = 0; i + 1 < chain.stages.size(); ++i) {
    const StageProof& stage = chain.stages[i];
    const StageTimes& next = chain.stages[i + 1].times;
    if (!stage.times.outranks_next || largest_gap(chain, i) <= next.T_max) continue;
    pools[set_with_chains(proof).dags()[stage.dag].nodes()[stage.exit.value_or(0)].pool] = true;
  }
}

}  // namespace

std::vector<QueuesFirst> queues_first(const Proof& proof, std::span<const ChainProof> chains) {
  std::vector<bool> whole(proof.task_set->pools().size());
  std::vector<bool> urgent(whole.size());
  if (std::ranges::any_of(proof.task_set->pools(), blocks)) {
    for (DagId d = 0; d < proof.dags.size(); ++d) add_whole(proof, d, whole);
  }
  for (const ChainProof& chain : chains) add_urgent_stages(proof, chain, urgent);
  std::vector<QueuesFirst> all;
  for (PoolId p = 0; p < whole.size(); ++p) {
    if (whole[p] || urgent[p]) all.push_back({.pool = p, .whole_dags = whole[p], .urgent_stages = urgent[p]});
  }
  return all;
}

std::string in_words(const TaskSet& task_set, const QueuesFirst& assumed) {
  std::string by = assumed.whole_dags ? "T10d without preemption" : "";
  if (assumed.urgent_stages) by += std::string(by.empty() ? "" : ", ") + "T13 of a more urgent stage";
  return fmt::format("a processor of pool '{}' that ends a node queues what this makes ready before it takes its next node ({})",
                     task_set.pools()[assumed.pool].name, by);
}

}  // namespace rta::analysis
