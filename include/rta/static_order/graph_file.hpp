// Graph files (YAML, Version 3.0.0 of the System Task Manager): reading with every error at file:line:column, and writing.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rta/io/task_set_file.hpp"
#include "rta/static_order/graph.hpp"

namespace rta::static_order {

struct GraphResult {
  Graph graph;
  std::vector<io::Diagnostic> warnings;
};

/// Reads a graph from text; `name` stands for the file in messages. Throws `io::InputError` with everything that is wrong.
[[nodiscard]] GraphResult parse_graph(std::string_view text, const std::string& name);

/// A file that holds a task set or a graph (one with the key `Version`). Throws `io::InputError`.
[[nodiscard]] std::variant<io::ReadResult, GraphResult> parse_task_set_or_graph(std::string_view text, const std::string& name);

/// The graph as a file: `parse_graph(format_graph(g), n).graph` equals g, whose runnables stand client by client. Throws `UserError` when
/// no file could stand for it: names that are none, frames that overlap, a choice of resources that is no type, resources that need a
/// description the format does not have.
[[nodiscard]] std::string format_graph(const Graph& graph);

}  // namespace rta::static_order
