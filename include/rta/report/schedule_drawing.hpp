// Static schedules as Graphviz's DOT.
#pragma once

#include <string>
#include <vector>

#include "rta/report/task_set_drawing.hpp"
#include "rta/static_order/proof.hpp"
#include "rta/static_order/schedule.hpp"

namespace rta::report {

/// What runs in each hyperepoch, in the colours of the resources, with its latest start and end, and what it waits for: what must have
/// ended or begun as arrows, the order of a resource or stream as dashed ones with its name (unless there is an arrow already), and the
/// critical path in bold. `proofs`: by hyperepoch. In a hyperepoch of more than 60 runnables all frames of one share a node, from the first
/// start to the last end, and the order of resources is left out; its title says so. `Apart::all` draws everything.
[[nodiscard]] std::string dot(const static_order::Schedule& schedule, const std::vector<static_order::HyperepochProof>& proofs,
                              Apart apart = Apart::as_read);

}  // namespace rta::report
