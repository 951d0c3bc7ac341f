// Task sets of DAG-scheduling (YAML): tasks with t, d, vertices {id, c, p, s} and edges {from, to}.
#pragma once

#include <string_view>

#include "draft.hpp"
#include "notes.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

/// Throws `io::InputError` with the place of what is wrong.
[[nodiscard]] Draft read_dag_scheduling(std::string_view text, const Options& options, Notes& notes);

}  // namespace rta::convert
