#include <array>

#include "analysis/policies/pool_bounds.hpp"
#include "rta/analysis/queue/workers.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

/// The FIFOs of a pool, and where its nodes are in them.
struct Queues {
  struct Queue {
    std::vector<workers::Task> tasks;
    std::vector<std::size_t> node;  // of each task
  };
  std::array<Queue, 2> queues;

  void add(std::size_t q, std::size_t k, workers::Task task) {
    queues[q].node.push_back(k);
    queues[q].tasks.push_back(task);
  }
};

/// A reason that numbers tasks of the whole pool.
Reason of_pool(Reason reason, const Queues::Queue& queue) {
  if (auto* waits = std::get_if<reason::MayWait>(&reason)) waits->task = queue.node[waits->task];
  return reason;
}

PoolResult prove(PoolId p, PoolKind kind, std::span<const PoolNode> nodes, Queues queues, std::uint32_t workers, Time dispatch_overhead,
                 PoolProof load, bool count) {
  PoolResult result;
  result.proof = std::move(load);
  std::vector<std::optional<Bound>> bounds(nodes.size());
  std::vector<std::optional<Time>> R(nodes.size());
  for (Queues::Queue& queue : queues.queues) {
    if (queue.tasks.empty()) continue;
    auto proven = workers::response_bounds(queue.tasks, workers, dispatch_overhead, count);
    if (!proven) return no_bound(std::move(result.proof), p, of_pool(proven.reason(), queue));
    add_left_out(result.left_out, proven->left_out);
    const auto evidence = static_cast<std::uint32_t>(result.evidence.size());
    for (std::size_t i = 0; i < queue.node.size(); ++i) {
      R[queue.node[i]] = proven->R[i];
      bounds[queue.node[i]] = Bound{proven->R[i], {Theorem::T8, evidence, static_cast<std::uint32_t>(i)}};
    }
    result.evidence.emplace_back(QueueEvidence{p, workers, dispatch_overhead, std::move(queue.tasks), std::move(*proven)});
  }
  if (const auto waits = one_that_waits(kind, nodes, R)) return no_bound(std::move(result.proof), p, *waits);
  set_bounds(result, nodes, std::move(bounds));
  return result;
}

}  // namespace

PoolResult worker_pool_bounds(PoolId p, const WorkerPool& pool, std::span<const PoolNode> nodes, const Options& options) {
  Queues queues;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const auto& d = std::get<WorkerDemand>(nodes[k].node->demand);
    queues.add(0, k, {.T = nodes[k].T, .B = d.B, .L = d.L, .J = nodes[k].J});
  }
  PoolProof load = pool_load(Pool{{}, pool}, nodes, nullptr, {});
  return prove(p, PoolKind::workers, nodes, std::move(queues), pool.workers, pool.dispatch_overhead, std::move(load),
               counts_carry(options));
}

// A FIFO of its own for each direction when there are two engines; all copies in one FIFO when there is one.
PoolResult engine_pool_bounds(PoolId p, const EnginePool& pool, std::span<const PoolNode> nodes, const Options& options) {
  Queues queues;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const auto& d = std::get<CopyDemand>(nodes[k].node->demand);
    require(pool.engines < 2 || d.direction.has_value(), "a copy has a direction where each has an engine");
    queues.add(pool.engines > 1 && *d.direction == Direction::d2h ? 1 : 0, k, {.T = nodes[k].T, .B = 1, .L = d.C, .J = nodes[k].J});
  }
  PoolProof load = pool_load(Pool{{}, pool}, nodes, nullptr, {});
  return prove(p, PoolKind::engines, nodes, std::move(queues), 1, Time::zero(), std::move(load), counts_carry(options));
}

}  // namespace rta::analysis
