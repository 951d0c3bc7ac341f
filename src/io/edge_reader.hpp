// `edges:` of a DAG.
#pragma once

#include <vector>

#include "fields.hpp"
#include "rta/model/task_set.hpp"

namespace rta::io {

/// `nodes`: the DAG's, by name. Reads chains (`a -> b -> c`), `{from: a, to: b, cut: true}` and `{path: a -> b, cut: true}`. Reports edges
/// to unknown nodes, edges given twice and the first cycle, by its nodes' names.
[[nodiscard]] std::vector<Edge> read_edges(const Value& edges, const Fields& nodes, Subject subject, Diagnostics& out);

}  // namespace rta::io
