// What a run must do for the bounds to hold, and the task-set file does not say.
#pragma once

#include <string>
#include <vector>

#include "certificate.hpp"

namespace checker {

[[nodiscard]] std::vector<std::string> assumed(const TaskSet& set, const Certificate& certificate);

}  // namespace checker
