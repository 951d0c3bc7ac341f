// Graphs as Graphviz's DOT.
#pragma once

#include <string>

#include "rta/static_order/graph.hpp"

namespace rta::report {

/// The graph's runnables with WCETs and resources, clients and epochs around them; dependencies as arrows, submissions as bold ones.
[[nodiscard]] std::string dot(const static_order::Graph& graph);

}  // namespace rta::report
