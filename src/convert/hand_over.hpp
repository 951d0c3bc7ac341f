// The one place where a draft becomes a task set.
#pragma once

#include "draft.hpp"
#include "notes.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

/// The task set of a draft. What a task set cannot say is told in `notes`, fact by fact. Throws `io::InputError` naming pool, DAG and node
/// for what no task set can be.
[[nodiscard]] TaskSet hand_over(Draft draft, const Options& options, Notes& notes);

}  // namespace rta::convert
