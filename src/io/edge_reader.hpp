// `edges:` of a DAG.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "fields.hpp"
#include "rta/model/task_set.hpp"

namespace rta::io {

using NodeIndex = std::unordered_map<std::string_view, NodeId>;

/// Reads chains (`a -> b -> c`), `{from: a, to: b, cut: true}` and `{path: a -> b, cut: true}`. Reports edges to unknown nodes, edges
/// given twice and the first cycle, by its nodes' names.
[[nodiscard]] std::vector<Edge> read_edges(const Value& edges, const NodeIndex& nodes, Subject subject, Diagnostics& out);

}  // namespace rta::io
