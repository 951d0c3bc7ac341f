// What launches cost: `launch_overhead` and `dispatch_latency` of GPUs, as times of nodes.
#pragma once

#include <yaml.h>

#include <vector>

#include "task_set.hpp"

namespace checker {

/// A node on processors does the launch of the kernel that follows it alone, if that follows nothing else; any other kernel follows a
/// launch of its own. Every block lasts longer by the dispatch. Requires an order of the nodes, in which the launches are not yet. Faults
/// are told at `at`.
void launch_kernels(Dag& dag, const std::vector<Pool>& pools, const yaml_node_t& at);

}  // namespace checker
