// T8 with its numbers put in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rta/analysis/pool_sum.hpp"
#include "rta/analysis/queue/workers.hpp"
#include "rta/analysis/task_names.hpp"

namespace rta::analysis::workers {

/// The bound of task k, line by line. `sum`: its numbers; `names`: of these tasks.
[[nodiscard]] std::vector<std::string> explain(std::span<const Task> tasks, std::uint32_t workers, Time dispatch_overhead,
                                               const Bounds& bounds, std::size_t k, const PoolSum& sum, const TaskNames& names);

}  // namespace rta::analysis::workers
