// How large a trace will be, before it is written.
#pragma once

#include <optional>
#include <string>

#include "rta/model/task_set.hpp"
#include "rta/simulate/observer.hpp"

namespace rta::cli {

/// Of periodic releases for so long, in bytes, to the right power of two.
[[nodiscard]] Wide trace_size(const TaskSet& task_set, Time duration, simulate::Detail detail);

/// A warning where that is more than 100 MB.
[[nodiscard]] std::optional<std::string> warning_of_trace_size(const TaskSet& task_set, Time duration, simulate::Detail detail);

}  // namespace rta::cli
