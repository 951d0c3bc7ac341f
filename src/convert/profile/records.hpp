// Jobs of a profile as records of a trace.
#pragma once

#include <vector>

#include "../draft.hpp"
#include "rta/trace/record.hpp"
#include "union.hpp"

namespace rta::convert {

/// Adds every job of the family, which became `dag`, and of its nodes: `graph` has their occurrences, node for node those of `dag`.
void add_records(const DraftDag& dag, const JobFamily& family, const UnionGraph& graph, std::vector<trace::Record>& records);

}  // namespace rta::convert
