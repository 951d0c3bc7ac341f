// `launch_overhead` and `dispatch_latency` of GPUs: what they cost, as times of nodes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics.hpp"
#include "fields.hpp"
#include "rta/model/task_set.hpp"

namespace rta::io {

/// What one kernel of a GPU costs beside its blocks.
struct LaunchCost {
  Time launch;    // of a processor: from the begin of the call until the kernel is in the GPU's queue
  Time dispatch;  // how long the resources of a block that has ended are idle before the next one has them
  Mark at;        // of `launch_overhead`
};
using LaunchCosts = std::map<std::string, LaunchCost, std::less<>>;  // by GPU, as the file calls it

/// Reads both keys of a GPU, if it has one of them.
void read_launch_cost(const Fields& gpu, const Unit* time_unit, LaunchCosts& costs);

/// The DAGs with these costs in their times. Every block lasts longer by the dispatch. A node on processors launches the kernel that
/// follows it alone as the last thing that it does: its C grows. Every other kernel follows a node of its own, KERNEL.launch, on the
/// processors of the node by which it is reached through kernels, copies and items. Reports kernels that no thread would launch.
[[nodiscard]] std::vector<Dag> with_launch_costs(std::vector<Dag> dags, const std::vector<Pool>& pools, const LaunchCosts& costs,
                                                 Diagnostics& out);

}  // namespace rta::io
