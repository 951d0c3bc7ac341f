// The bounds of all nodes of one pool: chooses the theorems that apply, and says why when none does.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/task_names.hpp"
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
  std::vector<std::optional<Time>> R;  // one per node; empty when no node has a bound
  std::vector<std::string> theorem;    // one per node; empty when no node has a bound
  /// Derivation of the bound of the k-th node; the names are those of all nodes. Requires that it has one.
  std::function<std::vector<std::string>(std::size_t k, const TaskNames& names)> explain;

  [[nodiscard]] std::optional<Time> bound(std::size_t k) const { return R.empty() ? std::nullopt : R[k]; }
};

/// T1 and its refinements, T3, T3s, T4. `nodes` all run on `pool`.
[[nodiscard]] PoolResult cpu_pool_bounds(const Pool& pool, std::span<const PoolNode> nodes, const Options& options);

/// T5-T7, T3s.
[[nodiscard]] PoolResult gpu_pool_bounds(const Pool& pool, std::span<const PoolNode> nodes, const Options& options);

/// T8 on workers.
[[nodiscard]] PoolResult worker_pool_bounds(const Pool& pool, std::span<const PoolNode> nodes, const Options& options);

/// T8 on copy engines: one FIFO, or one per direction.
[[nodiscard]] PoolResult engine_pool_bounds(const Pool& pool, std::span<const PoolNode> nodes, const Options& options);

/// The above, by the pool's kind.
[[nodiscard]] PoolResult pool_bounds(const Pool& pool, std::span<const PoolNode> nodes, const Options& options);

/// The tasks of T5-T7 for the nodes of a GPU.
[[nodiscard]] std::vector<fifo::Task> gpu_tasks(std::span<const PoolNode> nodes);

}  // namespace rta::analysis
