// docs/theory/cpu.md, T3s on one processor: `sequential` changes no schedule where a node's jobs run in the order of their releases anyway.
#pragma once

#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// Of two jobs of one node that are both ready, that pool runs the earlier to its end before the later: one processor, not under FIFO
/// (there a job that waited for its predecessor is behind whatever came meanwhile).
[[nodiscard]] bool in_own_order(const CpuPool& cpu);

/// The nodes whose jobs are ready, and run, in the order of their releases: they and all nodes before them in their DAGs are on such
/// pools, under FP with a priority there that no other node has, and sequential themselves but for sources.
[[nodiscard]] PerNode<bool> nodes_in_own_order(const TaskSet& task_set);

}  // namespace rta::analysis
