#include "analysis/policies/pool_bounds.hpp"

#include <algorithm>
#include <variant>

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
  return {std::move(proof), {}, {}, {}};
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

namespace {

bool is_overload(const Reason& reason) {
  return std::holds_alternative<reason::Overload>(reason) || std::holds_alternative<reason::KernelOverload>(reason) ||
         std::holds_alternative<reason::Theorem43Overload>(reason) || std::holds_alternative<reason::SlicesOverload>(reason) ||
         std::holds_alternative<reason::AboveOne>(reason);
}

}  // namespace

PoolResult with_load_of_periods(const TaskSet& task_set, PoolId p, std::span<const PoolNode> nodes, const Options& options,
                                reason::CloserReleases::Why why) {
  const Pool& pool = task_set.pools()[p];
  PoolResult result = pool_bounds(p, pool, nodes, options);
  std::vector<PoolNode> apart(nodes.begin(), nodes.end());
  for (PoolNode& node : apart) node.T = task_set.dags()[node.dag].nominal_period();
  PoolProof& proof = result.proof;
  proof.utilization = pool_load(pool, apart, nullptr, kernel_options(options)).utilization;
  if (!proof.none || !is_overload(proof.none->reason)) return result;
  PoolResult at_periods = pool_bounds(p, pool, apart, options);
  const auto& none = at_periods.proof.none;
  proof.none->reason = none && is_overload(none->reason) ? none->reason : reason::CloserReleases{.pool = {}, .why = why};
  return result;
}

}  // namespace rta::analysis
