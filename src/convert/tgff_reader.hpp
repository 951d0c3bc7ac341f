// Task graphs as TGFF ("Task Graphs For Free") writes them: graphs whose tasks have types, and tables of what types take.
#pragma once

#include <string_view>

#include "draft.hpp"
#include "notes.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

/// A DAG of CPU nodes per graph, of any processors of one pool. Throws `io::InputError` with the line of what is wrong.
[[nodiscard]] Draft read_tgff(std::string_view text, const Options& options, Notes& notes);

}  // namespace rta::convert
