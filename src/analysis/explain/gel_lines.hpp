// T1 and its refinements with their numbers put in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rta/analysis/cpu/gel.hpp"
#include "rta/analysis/pool_sum.hpp"
#include "rta/analysis/task_names.hpp"

namespace rta::analysis::gel {

/// The bound of task k, line by line, with `sum`, its numbers, for a reader with a pocket calculator.
[[nodiscard]] std::vector<std::string> explain(std::span<const Task> tasks, std::uint32_t processors, const Bounds& bounds, std::size_t k,
                                               const PoolSum& sum, const TaskNames& names);

}  // namespace rta::analysis::gel
