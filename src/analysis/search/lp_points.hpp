// T2: relative priority points by a linear program (Yang, Yang, Anderson, RTNS 2016).
#pragma once

#include <cstdint>
#include <optional>

#include "rta/analysis/options.hpp"
#include "rta/analysis/result.hpp"
#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// Steps of the simplex method, times rows and columns: some tens of seconds. No clock, so that the answer is the same on every machine.
inline constexpr std::int64_t usual_lp_effort = 400'000'000;

/// Chooses Y >= 0, in whole ns, for every node with `nullopt` in `fixed_bounds` (the nodes on the CPU pools under LP; on one pool either
/// all nodes or none); Y of the other nodes is returned as 0. `fixed_bounds` holds the response-time bounds of all other nodes. DAGs of
/// equal shape and equal fixed bounds share their variables, without loss: the program is convex. In `max_lateness` a DAG without deadline
/// has its period for one. The answer only steers: the caller recomputes all bounds from Y. None when a pool is over-utilized, or when the
/// solver finds no optimum within `effort`. `gain`: by how much a refinement was below T1 for each node with the points of an earlier
/// round, as a guess for this one; empty: not at all. Requires that `fixed_bounds` fits the task set.
[[nodiscard]] Result<PerNode<Time>> choose_lp_points(const TaskSet& task_set, const PerNode<std::optional<Time>>& fixed_bounds,
                                                     Objective objective, const PerNode<Time>& gain = {},
                                                     std::int64_t effort = usual_lp_effort);

}  // namespace rta::analysis
