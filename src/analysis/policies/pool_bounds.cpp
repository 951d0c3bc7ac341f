#include "analysis/policies/pool_bounds.hpp"

#include <algorithm>

namespace rta::analysis {

bool counts_carry(const Options& options) {
  using gel::Refinement;
  return options.refinement == Refinement::all || options.refinement == Refinement::early || options.refinement == Refinement::carry;
}

fifo::Options kernel_options(const Options& options) {
  using gel::Refinement;
  const bool response =
      options.refinement == Refinement::all || options.refinement == Refinement::early || options.refinement == Refinement::response;
  return {
      .bound = options.gpu_bound, .shared_weights = options.shared_weights, .count_carry = counts_carry(options), .feed_back = response};
}

PoolResult no_bound(PoolProof proof, PoolId p, Reason reason) {
  proof.none = NoBound{std::move(reason), p};
  return {std::move(proof), {}, {}};
}

std::optional<reason::MayWait> one_that_waits(PoolKind kind, std::span<const PoolNode> nodes, std::span<const std::optional<Time>> R) {
  const bool all_sequential = std::ranges::all_of(nodes, [](const PoolNode& n) { return n.node->sequential; });
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (nodes[k].node->sequential && (!R[k] || *R[k] + nodes[k].J > nodes[k].T)) {
      return reason::MayWait{.kind = kind, .task = k, .R = R[k], .J = nodes[k].J, .T = nodes[k].T, .all_sequential = all_sequential};
    }
  }
  return std::nullopt;
}

void set_bounds(PoolResult& result, std::span<const PoolNode> nodes, std::vector<std::optional<Bound>> bounds) {
  PoolProof& proof = result.proof;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (!bounds[k]) continue;
    const Theorem theorem = bounds[k]->basis.theorem;
    if (std::ranges::find(proof.theorems, theorem) == proof.theorems.end()) proof.theorems.push_back(theorem);
    const Time lateness = bounds[k]->R - nodes[k].node->deadline.value_or(nodes[k].T);
    if (!proof.largest_lateness || lateness > *proof.largest_lateness) proof.largest_lateness = lateness;
    if (nodes[k].awaited) proof.tasks[k].bound = bounds[k];
  }
  std::ranges::sort(proof.theorems, {}, [](Theorem theorem) { return to_string(theorem); });
  result.bounds = std::move(bounds);
}

PoolResult pool_bounds(PoolId p, const Pool& pool, std::span<const PoolNode> nodes, const Options& options) {
  if (nodes.empty()) return {};
  struct ByKind {
    PoolResult operator()(const CpuPool& pool) const { return cpu_pool_bounds(p, pool, nodes, options); }
    PoolResult operator()(const GpuPool& pool) const { return gpu_pool_bounds(p, pool, nodes, options); }
    PoolResult operator()(const EnginePool& pool) const { return engine_pool_bounds(p, pool, nodes, options); }
    PoolResult operator()(const WorkerPool& pool) const { return worker_pool_bounds(p, pool, nodes, options); }
    PoolId p;
    std::span<const PoolNode> nodes;
    const Options& options;
  };
  return std::visit(ByKind{p, nodes, options}, pool.resource);
}

}  // namespace rta::analysis
