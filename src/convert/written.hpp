// Whether a task set is what its file says.
#pragma once

#include <string>

#include "rta/model/task_set.hpp"

namespace rta::convert {

/// The task set as its file says it, or what the file format itself refuses, without the places of a file that was never written: throws
/// `io::InputError` and `UserError`. `file`: what it was made of.
[[nodiscard]] TaskSet as_written(TaskSet task_set, const std::string& file);

}  // namespace rta::convert
