// History edges as they are written: with the nodes that wait.
#pragma once

#include <algorithm>
#include <span>

#include "rta/model/task_set.hpp"

namespace rta::io {

/// What node v waits for, without what its stream has it wait for.
[[nodiscard]] inline std::span<const HistoryEdge> awaited_by(const Dag& dag, NodeId v) {
  const auto found = std::ranges::equal_range(dag.attributes().after, v, {}, &HistoryEdge::to);
  return {found.begin(), found.end()};
}

}  // namespace rta::io
