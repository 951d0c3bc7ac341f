// Whether a measured run had the contexts on its GPU that its bounds are for.
#pragma once

#include <optional>
#include <string>

#include "rta/model/task_set.hpp"
#include "rta/trace/record.hpp"

namespace rta::compare {

/// What differs, as a warning. A trace that does not say how its tasks ran, such as a simulated one, differs in nothing.
[[nodiscard]] std::optional<std::string> other_contexts(const TaskSet& task_set, const trace::Header& header, const std::string& name);

}  // namespace rta::compare
