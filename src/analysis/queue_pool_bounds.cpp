#include <fmt/format.h>

#include <array>
#include <memory>

#include "pool_bounds.hpp"
#include "rta/analysis/workers.hpp"

namespace rta::analysis {
namespace {

bool counts_carry(const Options& options) {
  using gel::Refinement;
  return options.refinement == Refinement::all || options.refinement == Refinement::early || options.refinement == Refinement::carry;
}

using Tasks = std::shared_ptr<std::vector<workers::Task>>;

PoolResult wait_for_predecessor(PoolBound summary, std::span<const PoolNode> nodes, std::size_t k, Time R) {
  return no_bound(
      std::move(summary), nodes,
      fmt::format("node '{}' is sequential, and its bound of {} ns exceeds its period of {} ns: a job may wait for its predecessor "
                  "(T3s does not apply)",
                  nodes[k].node->name, R.count(), nodes[k].T.count()));
}

}  // namespace

PoolResult worker_pool_bounds(const Pool& pool, std::span<const PoolNode> nodes, const Options& options) {
  const auto& resource = std::get<WorkerPool>(pool.resource);
  const Tasks tasks = std::make_shared<std::vector<workers::Task>>();
  for (const PoolNode& node : nodes) {
    const auto& d = std::get<WorkerDemand>(node.node->demand);
    tasks->push_back({node.T, d.B, d.L, node.J});
  }
  PoolResult result;
  result.summary.utilization = workers::utilization(*tasks, resource.dispatch_overhead).approximate();
  result.summary.capacity = resource.workers;
  const auto bounds = workers::response_bounds(*tasks, resource.workers, resource.dispatch_overhead, counts_carry(options));
  if (!bounds) return no_bound(std::move(result.summary), nodes, bounds.reason());
  const std::vector<std::optional<Time>> R(bounds->R.begin(), bounds->R.end());
  if (const auto waits = first_that_waits(nodes, R)) return wait_for_predecessor(std::move(result.summary), nodes, *waits, *R[*waits]);
  set_bounds(result, nodes, R, std::vector<std::string>(nodes.size(), "T8"));
  result.summary.explanation = fmt::format("U <= N = {} workers (T8)", resource.workers);
  result.explain = [tasks, resource, b = *bounds](std::size_t k, const TaskNames&) {
    return workers::explain(*tasks, resource.workers, resource.dispatch_overhead, b, k);
  };
  return result;
}

// A FIFO of its own for each direction when there are two engines; all copies in one FIFO when there is one.
PoolResult engine_pool_bounds(const Pool& pool, std::span<const PoolNode> nodes, const Options& options) {
  const auto& resource = std::get<EnginePool>(pool.resource);
  struct Queue {
    Tasks tasks = std::make_shared<std::vector<workers::Task>>();
    std::vector<std::size_t> node;  // of each task
    workers::Bounds bounds;
  };
  auto queues = std::make_shared<std::array<Queue, 2>>();
  std::vector<std::pair<std::size_t, std::size_t>> place(nodes.size());  // queue and task of each node
  PoolResult result;
  result.summary.capacity = resource.engines;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const auto& d = std::get<CopyDemand>(nodes[k].node->demand);
    if (resource.engines > 1 && !d.direction) {
      return no_bound(std::move(result.summary), nodes,
                      fmt::format("node '{}' has no direction (h2d or d2h), so its engine is not known", nodes[k].node->name));
    }
    const std::size_t q = resource.engines > 1 && *d.direction == Direction::d2h ? 1 : 0;
    place[k] = {q, (*queues)[q].tasks->size()};
    (*queues)[q].node.push_back(k);
    (*queues)[q].tasks->push_back({nodes[k].T, 1, d.C, nodes[k].J});
  }

  std::vector<std::optional<Time>> R(nodes.size());
  for (Queue& queue : *queues) {
    if (queue.tasks->empty()) continue;
    result.summary.utilization += workers::utilization(*queue.tasks).approximate();
    const auto bounds = workers::response_bounds(*queue.tasks, 1, Time::zero(), counts_carry(options));
    if (!bounds) {
      std::vector<PoolNode> own;
      for (std::size_t k : queue.node) own.push_back(nodes[k]);
      return no_bound(std::move(result.summary), own, bounds.reason());
    }
    queue.bounds = *bounds;
    for (std::size_t i = 0; i < queue.node.size(); ++i) R[queue.node[i]] = bounds->R[i];
  }
  if (const auto waits = first_that_waits(nodes, R)) return wait_for_predecessor(std::move(result.summary), nodes, *waits, *R[*waits]);
  set_bounds(result, nodes, std::move(R), std::vector<std::string>(nodes.size(), "T8"));
  result.summary.explanation =
      resource.engines > 1 ? "U <= 1 on the engine of each direction (T8 with N = 1)" : "U <= 1 engine (T8 with N = 1)";
  result.explain = [queues, place](std::size_t k, const TaskNames&) {
    const auto& [q, i] = place[k];
    return workers::explain(*(*queues)[q].tasks, 1, Time::zero(), (*queues)[q].bounds, i);
  };
  return result;
}

}  // namespace rta::analysis
