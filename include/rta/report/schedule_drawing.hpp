// Static schedules as Graphviz's DOT.
#pragma once

#include <string>
#include <vector>

#include "rta/static_order/proof.hpp"
#include "rta/static_order/schedule.hpp"

namespace rta::report {

/// What runs in each hyperepoch, in the colours of the resources, with its latest start and end, and what it waits for: what must have
/// ended or begun as arrows, the order of a resource or stream as dashed ones with its name (unless there is an arrow already), and the
/// critical path in bold. `proofs`: by hyperepoch.
[[nodiscard]] std::string dot(const static_order::Schedule& schedule, const std::vector<static_order::HyperepochProof>& proofs);

}  // namespace rta::report
