// Relative priority points Y: G-EDF, G-FL, FIFO, and T2's linear program (Yang, Yang, Anderson, RTNS 2016).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rta/analysis/result.hpp"
#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// Y of a node with relative deadline D and execution time C on m >= 1 processors: G-EDF D, FIFO 0, G-FL D - (m-1)/m C rounded up to a
/// whole ns (LP: as G-EDF). Y is what the scheduler uses at run time, so any rounding is safe. May be negative under G-FL.
[[nodiscard]] Time priority_point(Scheduler scheduler, Time D, Time C, std::uint32_t processors);

/// What the linear program minimises: the sum of the end-to-end bounds, or the largest lateness (then the sum).
enum class Objective : std::uint8_t { sum, max_lateness };

/// One value per DAG and node.
template <class T>
using PerNode = std::vector<std::vector<T>>;

/// T2: chooses Y >= 0, in whole ns, for every node with `nullopt` in `fixed_bounds` (the nodes on the CPU pools under LP; on one pool
/// either all nodes or none); Y of the other nodes is returned as 0. `fixed_bounds` holds the response-time bounds of all other nodes.
/// DAGs of equal shape and equal fixed bounds share their variables, without loss: the program is convex. In `max_lateness` a DAG without
/// deadline has its period for one. The answer only steers: the caller recomputes all bounds from Y. Unbounded when a pool is
/// over-utilized, or when the solver finds no optimum within `time_limit`. `gain`: by how much a refinement was below T1 for each node with
/// the points of an earlier round, as a guess for this one; empty: not at all. Throws std::invalid_argument when `fixed_bounds` does not
/// fit the task set.
[[nodiscard]] Result<PerNode<Time>> choose_priority_points(const TaskSet& task_set, const PerNode<std::optional<Time>>& fixed_bounds,
                                                           Objective objective,
                                                           std::chrono::milliseconds time_limit = std::chrono::seconds(20),
                                                           const PerNode<Time>& gain = {});

}  // namespace rta::analysis
