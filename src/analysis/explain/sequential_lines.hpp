// T3 and T4 with their numbers put in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rta/analysis/cpu/gel_sequential.hpp"
#include "rta/analysis/task_names.hpp"

namespace rta::analysis::gel_sequential {

/// The bound of task k, line by line.
[[nodiscard]] std::vector<std::string> explain(std::span<const Task> tasks, std::uint32_t processors, const Bounds& bounds, std::size_t k,
                                               const TaskNames& names = {});

}  // namespace rta::analysis::gel_sequential
