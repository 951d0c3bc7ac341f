// The part of `examine_machine` that is about GPUs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rta/validation/machine.hpp"

namespace rta::validation {

/// Empty when the file cannot be read.
[[nodiscard]] std::string first_line(const std::filesystem::path& path);

void add_gpu_findings(std::vector<Finding>& findings);

}  // namespace rta::validation
