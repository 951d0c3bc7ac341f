// A task set out of a tree: what files with choices share with files without.
#pragma once

#include <string>

#include "diagnostics.hpp"
#include "rta/io/task_set_file.hpp"
#include "yaml_tree.hpp"

namespace rta::io {

/// `name`: the file's. Throws `InputError` with everything that is wrong.
[[nodiscard]] ReadResult read_task_set_tree(const Value& root, const std::string& name, Diagnostics& out, BareC bare_C);

}  // namespace rta::io
