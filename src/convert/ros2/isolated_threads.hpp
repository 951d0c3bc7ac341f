// What callback_isolated_executor makes of a task set: a thread for each callback group, where the thread configuration has it.
#pragma once

#include <filesystem>

#include "../notes.hpp"
#include "rta/model/task_set.hpp"

namespace rta::convert {

/// The task set with an executor for each group that the file schedules in real time, on its processor. What the others are is told in
/// `notes`. Throws `io::InputError` for what the file asks for and no bound covers.
[[nodiscard]] TaskSet with_isolated_threads(const TaskSet& task_set, const std::filesystem::path& file, Notes& notes);

}  // namespace rta::convert
