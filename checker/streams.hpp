// T40: operations of a stream as edges.
#pragma once

#include <yaml.h>

#include <vector>

#include "task_set.hpp"

namespace checker {

[[nodiscard]] bool has_edge(const Dag& dag, const HistoryEdge& edge);

/// Of each stream every operation after the one before, in the order of the file, and the first after the last of the job before. Faults
/// are told at `at`.
void follow_streams(Dag& dag, const std::vector<Pool>& pools, const yaml_node_t& at);

}  // namespace checker
