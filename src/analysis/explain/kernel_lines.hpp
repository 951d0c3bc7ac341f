// T5 to T7 with their numbers put in.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "rta/analysis/gpu/fifo_bounds.hpp"
#include "rta/analysis/pool_sum.hpp"
#include "rta/analysis/task_names.hpp"

namespace rta::analysis::fifo {

/// The bound of task k, line by line, with `sum`, its numbers. Requires a bound of k.
[[nodiscard]] std::vector<std::string> explain(std::span<const Task> tasks, const GpuPool& gpu, const GpuBounds& bounds, std::size_t k,
                                               const PoolSum& sum, const TaskNames& names);

}  // namespace rta::analysis::fifo
