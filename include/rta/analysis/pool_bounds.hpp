// The bounds of all nodes of one pool: chooses the theorems that apply, and says why when none does.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// A node with what the analysis of its pool needs to know of it.
struct PoolNode {
  DagId dag = 0;
  NodeId id = 0;
  bool awaited = false;  // inside a coarse-grained job: `id` is the fine-grained node, and no DAG node of its own
  const Node* node = nullptr;
  Time T;
  Time Y;  // CPU pools: relative priority point
  Time J;  // enqueue jitter; 0 with offsets
};

struct PoolResult {
  PoolBound summary;
  std::vector<Time> R;               // one per node; empty when the pool is not bounded
  std::vector<std::string> theorem;  // one per node; empty when the pool is not bounded
  /// Derivation of the k-th node's bound; set when the pool is bounded.
  std::function<std::vector<std::string>(std::size_t k)> explain;
};

/// T1, T3, T3s, T4. `nodes` all run on `pool`.
[[nodiscard]] PoolResult cpu_pool_bounds(const Pool& pool, std::span<const PoolNode> nodes, CpuBound choice);

/// T5.
[[nodiscard]] PoolResult gpu_pool_bounds(const Pool& pool, std::span<const PoolNode> nodes);

/// Copy engines and workers.
[[nodiscard]] PoolResult queue_pool_bounds(const Pool& pool, std::span<const PoolNode> nodes);

/// The above, by the pool's kind.
[[nodiscard]] PoolResult pool_bounds(const Pool& pool, std::span<const PoolNode> nodes, const Options& options);

}  // namespace rta::analysis
