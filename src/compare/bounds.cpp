#include "rta/compare/comparison.hpp"

namespace rta::compare {

Bounds bounds_of(const analysis::Proof& proof) {
  const auto R = [](const std::optional<analysis::Bound>& bound) { return bound ? std::optional(bound->R) : std::nullopt; };
  Bounds bounds;
  for (const analysis::ChainProof& chain : analysis::prove_chains(proof, false)) bounds.chains.push_back(chain.bound);
  for (const analysis::ChainProof& chain : analysis::prove_chains(proof, true)) bounds.phased_chains.push_back(chain.bound);
  for (const analysis::DagProof& dag : proof.dags) {
    bounds.dag.push_back(R(dag.bound));
    auto& reference = bounds.reference.emplace_back();
    auto& node_bound = bounds.node.emplace_back();
    for (const analysis::NodeProof& node : dag.nodes) {
      reference.push_back(node.reference.value_or(Time::zero()));
      node_bound.push_back(R(node.bound));
    }
  }
  return bounds;
}

Bounds no_bounds(const TaskSet& task_set) {
  Bounds bounds;
  bounds.chains.resize(task_set.chains().size());
  bounds.phased_chains.resize(task_set.chains().size());
  for (const Dag& dag : task_set.dags()) {
    bounds.reference.emplace_back(dag.nodes().size());
    bounds.node.emplace_back(dag.nodes().size());
    bounds.dag.emplace_back();
  }
  return bounds;
}

}  // namespace rta::compare
