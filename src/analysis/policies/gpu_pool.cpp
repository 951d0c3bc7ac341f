#include "analysis/gpu/sliced_bounds.hpp"
#include "analysis/policies/offset_proof.hpp"
#include "analysis/policies/pool_bounds.hpp"
#include "analysis/policies/turns.hpp"
#include "rta/analysis/gpu/fifo_bounds.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::analysis {
namespace {

/// T14j, with T6's weights as far as the options allow them.
Result<fifo::GpuBounds> sliced(std::span<const fifo::Task> tasks, const GpuPool& pool, fifo::Options options) {
  const auto refuse = [&](Theorem theorem) { return Reason(reason::TimeSlices{pool.sharing->gpu, theorem}); };
  if (options.bound == fifo::Bound::T5) return refuse(Theorem::T5);
  if (fifo::of_several_priorities(tasks)) return refuse(Theorem::T7);
  options.count_carry = false;
  options.feed_back = false;
  auto unsliced = fifo::gpu_bounds(tasks, pool, options);
  if (!unsliced) return unsliced;
  return fifo::sliced_bounds(tasks, pool, std::move(*unsliced));
}

/// T5 to T7, or T14j: by blocks.
PoolResult by_blocks(PoolId p, const GpuPool& pool, std::span<const PoolNode> nodes, const Options& options) {
  std::vector<fifo::Task> tasks = gpu_tasks(nodes, pool);
  const bool slices = slices_of(Pool{{}, pool}) != nullptr;
  PoolResult result;
  if (some_without_blocks(nodes)) {
    return no_bound(pool_load(Pool{{}, pool}, nodes, nullptr, kernel_options(options)), p, why_without_blocks(pool, nodes));
  }
  auto proven = slices ? sliced(tasks, pool, kernel_options(options)) : fifo::gpu_bounds(tasks, pool, kernel_options(options));
  result.proof = pool_load(Pool{{}, pool}, nodes, &proven, kernel_options(options));
  if (!proven) return no_bound(std::move(result.proof), p, proven.reason());
  std::vector<std::optional<Bound>> bounds(nodes.size());
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (proven->R[k]) bounds[k] = Bound{*proven->R[k], {proven->basis[k].theorem, 0, static_cast<std::uint32_t>(k)}};
  }
  result.left_out = proven->left_out;
  if (proven->reason) result.proof.none = NoBound{*proven->reason, p};
  result.evidence.emplace_back(KernelEvidence{p, pool, std::move(tasks), std::move(*proven)});
  set_bounds(result, nodes, std::move(bounds));
  return result;
}

}  // namespace

PoolResult gpu_pool_bounds(PoolId p, const GpuPool& pool, std::span<const PoolNode> nodes, const Options& options) {
  PoolResult result = by_blocks(p, pool, nodes, options);
  if (has_turns(Pool{{}, pool}, nodes)) {
    result.proof.busy = busy_alone(pool, nodes, durations(options)).approximate();
    if (options.gpu_bound == fifo::Bound::best) {
      PoolResult turns = bounds_in_turn(p, pool, nodes, options);
      if (result.bounds.empty() && turns.bounds.empty() && some_without_blocks(nodes)) result.proof.none = std::move(turns.proof.none);
      result = lesser_of(nodes, std::move(result), std::move(turns));
    }
  }
  if (result.bounds.empty()) return result;
  std::vector<std::optional<Time>> R;
  R.reserve(nodes.size());
  for (std::size_t k = 0; k < nodes.size(); ++k) R.push_back(result.bounds[k] ? std::optional(result.bounds[k]->R) : std::nullopt);
  if (const auto waits = one_that_waits(PoolKind::gpu, nodes, R)) {
    withdraw(result, p, *waits);
  }
  return result;
}

}  // namespace rta::analysis
