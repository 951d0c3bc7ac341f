// Models of Amalthea (APP4MC).
#pragma once

#include <string_view>

#include "draft.hpp"
#include "notes.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

/// A DAG per task that a clock starts, with what it triggers; a CPU pool per set of cores that tasks share; GPUs as units that serve one
/// function at a time. Throws `io::InputError` with the place of what is wrong.
[[nodiscard]] Draft read_amalthea(std::string_view text, const Options& options, Notes& notes);

}  // namespace rta::convert
