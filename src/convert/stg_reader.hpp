// Standard Task Graphs (STG): a DAG, a row per task.
#pragma once

#include <string_view>

#include "draft.hpp"
#include "notes.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

/// One DAG of CPU nodes, of any processors of one pool. Throws `io::InputError` with the line of what is wrong.
[[nodiscard]] Draft read_stg(std::string_view text, const Options& options, Notes& notes);

}  // namespace rta::convert
