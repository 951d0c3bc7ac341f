// A task set out of a tree: what files with choices share with files without.
#pragma once

#include <string>

#include "diagnostics.hpp"
#include "rta/io/task_set_file.hpp"
#include "yaml_tree.hpp"

namespace rta::io {

/// `name`: the file's. Throws `InputError` with everything that is wrong.
[[nodiscard]] ReadResult read_task_set_tree(const Value& root, const std::string& name, Diagnostics& out, BareC bare_C);
/// `parse_task_set`, whatever the numbers: texts of at least `least` bytes are read in parts of about `part` bytes on all cores, where they
/// can be.
[[nodiscard]] ReadResult parse_task_set(std::string_view text, const std::string& name, BareC bare_C, std::size_t least, std::size_t part);

}  // namespace rta::io
