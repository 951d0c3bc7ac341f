// Weights of blocks as a certificate has them.
#pragma once

#include <string>
#include <vector>

#include "rta/analysis/gpu/fifo.hpp"
#include "rta/model/task_set.hpp"

namespace rta::certificate {

/// What one block of a kernel takes, in whole warps.
[[nodiscard]] analysis::fifo::Task task_of(const GpuDemand& kernel, const GpuPool& gpu);

/// One density for each class of blocks, a space before each. `density`: of each task.
[[nodiscard]] std::string densities(const std::vector<analysis::fifo::Task>& tasks, const GpuPool& gpu, const std::vector<Wide>& density);

}  // namespace rta::certificate
