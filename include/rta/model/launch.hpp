// Whether a GPU launches a kernel at all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rta/model/pool.hpp"
#include "rta/model/task_set.hpp"

namespace rta {

/// What of a kernel is too large, and for which limit.
struct LaunchFault {
  enum class Demand : std::uint8_t { threads, shared_memory, registers, blocks, cluster };
  Demand demand = Demand::threads;
  std::string what;
};
/// What files call it: `H`, `shared_memory`, `registers`, `B` or `cluster`.
[[nodiscard]] std::string_view key_of(LaunchFault::Demand demand);

/// All for which the GPU refuses a kernel: a block does not fit on an empty SM, or asks for more than a launch may. `gpu_name` is for
/// the texts.
[[nodiscard]] std::vector<LaunchFault> launch_faults(const GpuDemand& kernel, const GpuPool& gpu, std::string_view gpu_name);

/// `cluster: 8`, `cooperative: true` or both.
[[nodiscard]] std::string together_text(const GpuDemand& kernel);
/// Throws `UserError` where blocks of the kernel start together: which SMs may have a cluster is not known. `done`: what is not done with
/// it, e.g. `simulated`.
void refuse_blocks_together(const GpuDemand& kernel, std::string_view node, std::string_view done);

}  // namespace rta
