// A task set as the path bounds see it: whole DAGs, or their segments, on pools with weights for kernels.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rta/analysis/path/path.hpp"
#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// T6's weights w = n / unit for the kernels of one GPU, as counted work: a block of C G-thread x ns and density delta is worth delta C /
/// unit.
struct KernelWeights {
  Wide unit = 1;
  PerNode<Wide> density;                        // DAG, node; 0 for nodes on other pools
  bool switches = false;                        // blocks of kernels that stand for switches are among them
  std::optional<Wide> resident = std::nullopt;  // (g-1) K + K' of T6, in units of a weighted SM's work; kernels of one priority only
  // Of kernels of several stream priorities, what fits on one SM, by classes of blocks; and the class of each kernel's blocks.
  std::shared_ptr<const fifo::Sm> sm = nullptr;
  PerNode<std::uint32_t> demand = {};
  // T27: in place of all these, kernels one after another. Of one FIFO without slices alone.
  bool in_turn = false;
  // T29: Lambda, the longest block of those that have blocks, which the weights are for; the others are served one after another.
  std::optional<Time> tail = std::nullopt;
};

/// Weights per pool; pools that are no GPUs have a default entry.
using PlatformWeights = std::vector<KernelWeights>;

/// Segment of every node; segments of a DAG are numbered from 0. All 0: the whole DAG.
using Segmentation = PerNode<std::size_t>;
[[nodiscard]] Segmentation whole_dags(const TaskSet& task_set);

/// Relative priority point of each DAG when its nodes are released on completion: G-EDF's D (default T) less, where one of its CPU pools is
/// under G-FL, the largest (m-1)/m times its longest path on such a pool. FIFO pools do not use it.
[[nodiscard]] std::vector<Time> dag_priority_points(const TaskSet& task_set);

/// A system and where each node is in it.
struct PathSystem {
  struct Place {
    std::size_t dag = 0;   // index into system.dags
    std::size_t node = 0;  // index into its nodes
  };
  path::System system;
  PerNode<Place> place;                 // DAG, node of the task set
  std::vector<std::size_t> dag_of;      // path::Dag -> DAG of the task set
  std::vector<std::size_t> segment_of;  // path::Dag -> segment
  std::vector<PoolId> pool_of;          // path::Pool -> pool of the task set
};

/// Every segment as a DAG of its own, edges inside segments only. `Y[d]` is the relative priority point of DAG d's segments.
/// Engines of two directions become two pools; their copies must have one. Throws `Overflow`.
[[nodiscard]] PathSystem path_system(const TaskSet& task_set, const Segmentation& segments, const PlatformWeights& weights,
                                     std::span<const Time> Y);

/// T27: the kernels of these pools of the task set one after another, each for as long as it takes alone. `switches`: `time` has the switch
/// to a kernel in it.
void serve_in_turn(PathSystem& system, const TaskSet& task_set, std::span<const PoolId> pools, bool switches);
/// T29: the kernels of these pools by these weights, those without blocks one after another.
void serve_beside_blocks(PathSystem& system, const TaskSet& task_set, std::span<const PoolId> pools, const PlatformWeights& weights);

/// The same with T and J in place of releases at least T - J apart.
[[nodiscard]] PathSystem by_nominal_releases(PathSystem system, const TaskSet& task_set);

/// This, for T12, where some DAG has release jitter and no GPU has slices.
[[nodiscard]] std::optional<PathSystem> with_release_jitter(const PathSystem& system, const TaskSet& task_set);

/// Orders `pools` (of the task set: preemptive CPU pools) by node, with the relative priority points Y per DAG and node.
void order_by_node(PathSystem& system, std::span<const PoolId> pools, const PerNode<Time>& Y);

}  // namespace rta::analysis
