#include <fmt/format.h>

#include <memory>

#include "pool_bounds.hpp"
#include "rta/analysis/fifo_bounds.hpp"

namespace rta::analysis {
namespace {

using gel::Refinement;

fifo::Options fifo_options(const Options& options) {
  // A guarded early release keeps kernels T apart, which is all that the GPU's refinements ask for.
  const bool all = options.refinement == Refinement::all || options.refinement == Refinement::early;
  return {options.gpu_bound, options.shared_weights, all || options.refinement == Refinement::carry,
          all || options.refinement == Refinement::response};
}

std::string why_it_waits(const PoolNode& node, const std::optional<Time>& R) {
  if (!R) return fmt::format("node '{}' is sequential and has no bound", node.node->name);
  return fmt::format(
      "node '{}' is sequential, and its bound of {} ns{} exceeds its period of {} ns: kernels may wait for their predecessors (T3s does "
      "not "
      "apply), and then response times can grow without bound (Theorem 4.1)",
      node.node->name, R->count(), node.J > Time::zero() ? fmt::format(" plus jitter of {} ns", node.J.count()) : "", node.T.count());
}

/// What an overloaded mix of kernels is guaranteed: as much as when all are released more seldom, at the same ratio. 0: no theorem applies.
double capacity_of_mix(std::vector<fifo::Task> tasks, const GpuPool& gpu, const fifo::Options& options, double utilization) {
  if (tasks.empty()) return 0;
  try {
    const auto seldom = static_cast<std::int64_t>(utilization) + 2;  // U < 1, below the least capacity
    for (fifo::Task& task : tasks) task.T = Time(checked_mul(task.T.count(), seldom));
    const auto bounds = fifo::gpu_bounds(tasks, gpu, options);
    return bounds ? bounds->capacity : 0;
  } catch (const Overflow&) {
    return 0;
  }
}

}  // namespace

std::vector<fifo::Task> gpu_tasks(std::span<const PoolNode> nodes) {
  std::vector<fifo::Task> tasks;
  tasks.reserve(nodes.size());
  for (const PoolNode& node : nodes) {
    const auto& d = std::get<GpuDemand>(node.node->demand);
    tasks.push_back({node.T, d.B, d.H, d.C, d.L, d.shared_memory, d.registers_per_thread, node.J, d.priority});
  }
  return tasks;
}

PoolResult gpu_pool_bounds(const Pool& pool, std::span<const PoolNode> nodes, const Options& options) {
  const auto& gpu = std::get<GpuPool>(pool.resource);
  const auto tasks = std::make_shared<const std::vector<fifo::Task>>(gpu_tasks(nodes));
  PoolResult result;
  PoolBound& summary = result.summary;
  summary.utilization = fifo::utilization(*tasks).approximate();

  auto proven = fifo::gpu_bounds(*tasks, gpu, fifo_options(options));
  if (!proven) {
    summary.capacity = capacity_of_mix(*tasks, gpu, fifo_options(options), summary.utilization);
    return no_bound(std::move(summary), nodes, proven.reason());
  }
  const auto bounds = std::make_shared<const fifo::GpuBounds>(std::move(*proven));
  summary.capacity = bounds->capacity;
  summary.worst_configuration = with_names(fifo::in_words(bounds->worst), nodes);
  if (const auto waits = first_that_waits(nodes, bounds->R)) {
    return no_bound(std::move(summary), nodes, why_it_waits(nodes[*waits], bounds->R[*waits]));
  }

  std::vector<std::string> theorem;
  theorem.reserve(nodes.size());
  for (const fifo::Basis& basis : bounds->basis) theorem.emplace_back(to_string(basis.theorem));
  set_bounds(result, nodes, bounds->R, std::move(theorem));
  if (summary.bounded) {
    summary.explanation =
        fmt::format("U is within the {:.0f} G-threads that this mix of kernels is guaranteed ({})", summary.capacity, summary.theorem);
  } else {
    summary.explanation = with_names(bounds->reason, nodes);
  }
  result.explain = [tasks, gpu, bounds, pool_nodes = std::vector<PoolNode>(nodes.begin(), nodes.end())](std::size_t k,
                                                                                                        const TaskNames& names) {
    auto lines = fifo::explain(*tasks, gpu, *bounds, k, names);
    for (std::string& line : lines) line = with_names(line, pool_nodes);
    return lines;
  };
  return result;
}

}  // namespace rta::analysis
