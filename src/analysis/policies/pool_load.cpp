#include "analysis/policies/pool_bounds.hpp"
#include "analysis/policies/turns.hpp"
#include "rta/analysis/queue/workers.hpp"

namespace rta::analysis {
namespace {

/// What an overloaded mix of kernels is guaranteed: as much as when all are released more seldom, at the same ratio. 0: no theorem applies.
double capacity_of_mix(std::vector<fifo::Task> tasks, const GpuPool& gpu, const fifo::Options& options, double utilization) {
  try {
    const auto seldom = static_cast<std::int64_t>(utilization) + 2;  // U < 1, below the least capacity
    for (fifo::Task& task : tasks) task.T = Time(checked_mul(task.T.count(), seldom));
    const auto bounds = fifo::gpu_bounds(tasks, gpu, options);
    return bounds ? bounds->capacity : 0;
  } catch (const Overflow&) {
    return 0;
  }
}

class Load {
 public:
  Load(std::span<const PoolNode> nodes, const Result<fifo::GpuBounds>* kernels, const fifo::Options& options)
      : nodes_(nodes), kernels_(kernels), options_(options) {}

  PoolProof operator()(const CpuPool& pool) const {
    PoolProof load = empty();
    load.utilization = gel::utilization(cpu_tasks(nodes_)).approximate();
    load.capacity = pool.processors;
    return load;
  }

  PoolProof operator()(const GpuPool& pool) const {
    PoolProof load = empty();
    std::vector<fifo::Task> tasks = gpu_tasks(nodes_, pool);
    load.utilization = fifo::utilization(tasks).approximate();
    if (kernels_ == nullptr || some_without_blocks(nodes_)) return load;
    if (*kernels_) {
      load.capacity = (*kernels_)->capacity;
      load.worst = (*kernels_)->worst;
    } else {
      load.capacity = capacity_of_mix(std::move(tasks), pool, options_, load.utilization);
    }
    return load;
  }

  PoolProof operator()(const EnginePool& pool) const {
    PoolProof load = empty();
    for (const PoolNode& node : nodes_) {
      const workers::Task task{.T = node.T, .B = 1, .L = std::get<CopyDemand>(node.node->demand).C, .J = {}};
      load.utilization += workers::utilization({&task, 1}).approximate();
    }
    load.capacity = pool.engines;
    return load;
  }

  PoolProof operator()(const WorkerPool& pool) const {
    PoolProof load = empty();
    std::vector<workers::Task> tasks;
    for (const PoolNode& node : nodes_) {
      const auto& d = std::get<WorkerDemand>(node.node->demand);
      tasks.push_back({.T = node.T, .B = d.B, .L = d.L, .J = {}});
    }
    load.utilization = workers::utilization(tasks, pool.dispatch_overhead).approximate();
    load.capacity = pool.workers;
    return load;
  }

 private:
  [[nodiscard]] PoolProof empty() const {
    PoolProof load;
    load.tasks = pool_tasks(nodes_);
    return load;
  }

  std::span<const PoolNode> nodes_;
  const Result<fifo::GpuBounds>* kernels_;
  const fifo::Options& options_;
};

}  // namespace

PoolProof pool_load(const Pool& pool, std::span<const PoolNode> nodes, const Result<fifo::GpuBounds>* kernels,
                    const fifo::Options& options) {
  return std::visit(Load(nodes, kernels, options), pool.resource);
}

}  // namespace rta::analysis
