// Digraphs of Graphviz as task sets: those of rta itself, and those whose nodes have execution times.
#pragma once

#include <string_view>
#include <variant>

#include "draft.hpp"
#include "notes.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

/// A digraph that `format_dot` wrote is the task set; any other one is a DAG of CPU nodes. Throws `io::InputError`.
[[nodiscard]] std::variant<TaskSet, Draft> read_dot(std::string_view text, const Options& options, Notes& notes);

}  // namespace rta::convert
