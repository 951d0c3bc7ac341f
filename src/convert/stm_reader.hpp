// Graphs of the System Task Manager as task sets: what its runnables need, released dynamically instead of by a static order.
#pragma once

#include "draft.hpp"
#include "notes.hpp"
#include "rta/convert/convert.hpp"
#include "rta/static_order/graph.hpp"

namespace rta::convert {

/// A DAG per epoch. CPUs between which runnables may choose are one pool; an engine is a pool of one processor that runs whole nodes in
/// FIFO order.
[[nodiscard]] Draft draft_of(const static_order::Graph& graph, const Options& options, Notes& notes);

}  // namespace rta::convert
