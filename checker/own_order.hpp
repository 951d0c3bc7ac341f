// docs/theory/cpu.md, T3s on one processor: jobs of a node that run in the order of their releases, whether it is sequential or not.
#pragma once

#include "task_set.hpp"

namespace checker {

/// Of two ready jobs of one node the pool runs the earlier to its end before the later.
[[nodiscard]] bool in_own_order(const Pool& pool);
/// The same of the node and of all before it in its DAG, so that its jobs are ready in their order, too.
[[nodiscard]] bool in_own_order(const TaskSet& set, const Dag& dag, std::size_t v);

}  // namespace checker
