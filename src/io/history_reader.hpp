// What of a DAG's jobs follows earlier ones: `after` of its nodes.
#pragma once

#include <vector>

#include "fields.hpp"
#include "rta/model/task_set.hpp"

namespace rta::io {

/// `after: {node: a, jobs: 1}`, or a list of these. `nodes`: the DAG's, by name; `to`: the place of `node` among them, as `from` is in what
/// it says. Reports unknown nodes and what is given twice.
[[nodiscard]] std::vector<HistoryEdge> read_after(const Fields& node, const Fields& nodes, NodeId to);

}  // namespace rta::io
