// What a task set says, whatever its file looks like: ties a trace to files whose comments and layout changed.
#pragma once

#include <string>
#include <string_view>

#include "rta/model/task_set.hpp"

namespace rta::trace {

/// The detail of a trace's first line that names the content of its task set.
inline constexpr std::string_view content_key = "task_set_content_sha256";

/// SHA-256 of the task set in canonical JSON, as 64 hexadecimal digits; empty for one that no file can hold.
[[nodiscard]] std::string content_sha256(const TaskSet& task_set);

}  // namespace rta::trace
