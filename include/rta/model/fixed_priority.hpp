// Fixed priorities of CPU nodes: as given, or deadline monotonic.
#pragma once

#include <vector>

#include "rta/model/task_set.hpp"

namespace rta {

/// The priority that a node gives itself, or else its DAG; none off the CPUs.
[[nodiscard]] std::optional<FixedPriority> given_priority(const Dag& dag, const Node& node);

/// What decides the order on the pools under FP.
struct FixedPriorities {
  PerNode<FixedPriority> of;               // 0 on pools that are not under FP
  std::vector<PoolId> deadline_monotonic;  // pools under FP on which no node has a given priority
};

/// On each pool under FP either every node has a given priority or none has. Without, the pool's DAGs get different ones from 1 upwards:
/// the shorter D (T without a D), the more urgent; of equals the first in the task set. Throws `UserError` where only some have one.
[[nodiscard]] FixedPriorities fixed_priorities(const TaskSet& task_set);

/// The first CPU pool under FP that some node runs on, if there is one.
[[nodiscard]] std::optional<PoolId> first_pool_under_fp(const TaskSet& task_set);

}  // namespace rta
