// Deadlines that nodes have of their own.
#pragma once

#include <optional>

#include "rta/model/task_set.hpp"

namespace rta {

/// D of node v, relative to where its response time counts from (its reference). Nothing where it has none, or where it only repeats that
/// of the DAG whose single node it is.
[[nodiscard]] inline std::optional<Time> own_deadline(const Dag& dag, NodeId v) {
  const std::optional<Time> D = dag.nodes()[v].deadline;
  return dag.nodes().size() == 1 && D == dag.deadline() ? std::nullopt : D;
}

}  // namespace rta
