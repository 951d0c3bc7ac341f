// The bounds of all nodes of one pool: chooses the theorems that apply, and says why when none does.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analysis/policies/pool_nodes.hpp"
#include "rta/analysis/options.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

struct PoolResult {
  PoolProof proof;
  std::vector<Evidence> evidence;
  std::vector<LeftOut> left_out = {};
  std::vector<std::optional<Bound>> bounds;  // one per node, their evidence counted within `evidence`; empty when no node has a bound

  [[nodiscard]] std::optional<Bound> bound(std::size_t k) const { return bounds.empty() ? std::nullopt : bounds[k]; }
};

/// T1 and its refinements, T3, T3s, T4; T1b and T3b without preemption. `nodes` all run on pool `p`.
[[nodiscard]] PoolResult cpu_pool_bounds(PoolId p, const CpuPool& pool, std::span<const PoolNode> nodes, const Options& options);
/// T5-T7, T3s.
[[nodiscard]] PoolResult gpu_pool_bounds(PoolId p, const GpuPool& pool, std::span<const PoolNode> nodes, const Options& options);
/// T8 on workers.
[[nodiscard]] PoolResult worker_pool_bounds(PoolId p, const WorkerPool& pool, std::span<const PoolNode> nodes, const Options& options);
/// T8 on copy engines: one FIFO, or one per direction.
[[nodiscard]] PoolResult engine_pool_bounds(PoolId p, const EnginePool& pool, std::span<const PoolNode> nodes, const Options& options);
/// The above, by the pool's kind; nothing to prove without nodes.
[[nodiscard]] PoolResult pool_bounds(PoolId p, const Pool& pool, std::span<const PoolNode> nodes, const Options& options);

/// The same where releases are late, and count as T - J apart: the load that is told is that of releases every T, and so is what is too
/// much.
[[nodiscard]] PoolResult with_load_of_periods(const TaskSet& task_set, PoolId p, std::span<const PoolNode> nodes, const Options& options,
                                              reason::CloserReleases::Why why);

/// What of the refinements is asked for off the CPUs. A guarded early release keeps consecutive jobs T apart, which is all that these ask.
[[nodiscard]] bool counts_carry(const Options& options);
[[nodiscard]] fifo::Options kernel_options(const Options& options);

/// A pool's utilization and, on a GPU, what the mix of its kernels can carry, whatever bounds come of it.
[[nodiscard]] PoolProof pool_load(const Pool& pool, std::span<const PoolNode> nodes, const Result<fifo::GpuBounds>* kernels,
                                  const fifo::Options& options);

// ---- shared by the kinds of pools ----

/// The result without a bound.
[[nodiscard]] PoolResult no_bound(PoolProof proof, PoolId p, Reason reason);
/// T3s: the first sequential node whose job may have to wait for its predecessor, if any.
[[nodiscard]] std::optional<reason::MayWait> one_that_waits(PoolKind kind, std::span<const PoolNode> nodes,
                                                            std::span<const std::optional<Time>> R);
/// Fills in the bounds, whose evidence is there, and what follows from them: the theorems, the largest lateness.
void set_bounds(PoolResult& result, std::span<const PoolNode> nodes, std::vector<std::optional<Bound>> bounds);

}  // namespace rta::analysis
