// What release on completion and on segments share: the task set as the path bounds take it, and the proof that follows from them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/policies/kernel_weights.hpp"
#include "analysis/policies/pool_nodes.hpp"
#include "rta/analysis/options.hpp"
#include "rta/analysis/path/segments.hpp"
#include "rta/analysis/proof.hpp"
#include "rta/analysis/result.hpp"

namespace rta::analysis {

struct PathInput {
  PathInput(std::shared_ptr<const TaskSet> task_set, const Options& options);

  std::shared_ptr<const TaskSet> task_set;
  const Options& options;
  PoolNodes nodes;
  KernelBounds kernels;
  std::vector<PoolId> in_turn;  // GPUs that may be read so: T27
  Result<std::vector<PlatformWeights>, NoBound> weights;
  std::vector<Time> Y;  // relative priority point of each DAG
};

/// Limits of one search; `what` is told to whoever waits.
[[nodiscard]] path::Limits limits(const Options& options, std::string what);

/// What `--path-bound` names; none for `best`.
[[nodiscard]] std::optional<path::Refinement> refinement_asked_for(const Options& options);

/// Up to so many different nodes there is time for rounds over all pairs of them: T10g's, which are many where bounds are large, and
/// T10d's.
inline constexpr std::size_t most_nodes_for_pairs = 447;
[[nodiscard]] bool enough_time_for_pairs(const TaskSet& task_set);
/// Whether release on completion asks T10d where a deadline is open and there is time. DAGs of one node have T16 to T18, but for pools
/// by points without preemption; under fixed priorities without preemption T11b counts as much for them.
[[nodiscard]] bool suits_whole_dags(const TaskSet& task_set);

/// The lesser of these bounds and of those with GPUs in turn, node by node (T28), where some GPU has both; where all are in turn that may
/// be, of those with some kernels by their blocks (T29).
[[nodiscard]] SegmentBounds least_with_turns(const PathInput& input, SegmentBounds bounds, path::Refinement refinement,
                                             const path::Limits& limits);

/// Bounds that may be there. Those of a set of weights that has none do not count.
using PathBounds = Result<SegmentBounds, NoBound>;
[[nodiscard]] PathBounds path_bounds(Result<SegmentBounds> bounds);

/// Whether some CPU pool is under LP, which chooses points for release at offsets alone.
[[nodiscard]] bool has_lp(const TaskSet& task_set);

/// T3s: a node of a sequential task that may still run when its next job is ready.
[[nodiscard]] std::optional<reason::MayWaitOnPath> sequential_node_that_waits(const TaskSet& task_set, const SegmentBounds& bounds);

/// The proof, unless a sequential node may wait for its predecessor (T3s). `asked`: the most that was asked of these bounds.
[[nodiscard]] Proof path_proof(const PathInput& input, Release release, PathBounds bounds, path::Refinement asked);

/// Where not even the pools' loads can be told.
[[nodiscard]] Proof without_bounds(std::shared_ptr<const TaskSet> task_set, Release release, const Reason& reason);

}  // namespace rta::analysis
