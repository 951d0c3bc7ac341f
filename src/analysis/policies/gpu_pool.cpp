#include "analysis/policies/pool_bounds.hpp"
#include "rta/analysis/gpu/fifo_bounds.hpp"

namespace rta::analysis {

PoolResult gpu_pool_bounds(PoolId p, const GpuPool& pool, std::span<const PoolNode> nodes, const Options& options) {
  std::vector<fifo::Task> tasks = gpu_tasks(nodes);
  auto proven = fifo::gpu_bounds(tasks, pool, kernel_options(options));
  PoolResult result;
  result.proof = pool_load(Pool{{}, pool}, nodes, &proven, kernel_options(options));
  if (!proven) return no_bound(std::move(result.proof), p, proven.reason());
  if (auto waits = one_that_waits(PoolKind::gpu, nodes, proven->R)) return no_bound(std::move(result.proof), p, *std::move(waits));
  std::vector<std::optional<Bound>> bounds(nodes.size());
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (proven->R[k]) bounds[k] = Bound{*proven->R[k], {proven->basis[k].theorem, 0, static_cast<std::uint32_t>(k)}};
  }
  if (proven->reason) result.proof.none = NoBound{*proven->reason, p};
  result.evidence.emplace_back(KernelEvidence{p, pool, std::move(tasks), std::move(*proven)});
  set_bounds(result, nodes, std::move(bounds));
  return result;
}

}  // namespace rta::analysis
