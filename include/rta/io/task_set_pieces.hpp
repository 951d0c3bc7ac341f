// A task-set file in pieces: no large one is in memory as a whole.
#pragma once

#include <functional>
#include <string_view>

#include "rta/model/task_set.hpp"

namespace rta::io {

/// Hands over what `format_task_set` returns, piece by piece. Throws what that throws, then maybe after some pieces.
void write_task_set(const TaskSet& task_set, const std::function<void(std::string_view)>& take);

}  // namespace rta::io
