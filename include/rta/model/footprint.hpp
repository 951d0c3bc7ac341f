// What one block of a kernel occupies of a streaming multiprocessor (SM).
#pragma once

#include <cstdint>
#include <optional>

#include "rta/model/pool.hpp"
#include "rta/model/quantity.hpp"
#include "rta/model/task_set.hpp"

namespace rta {

/// In the units in which the SM hands its resources out; beside it a block takes one of the SM's slots. 0 for what the SM does not limit.
/// Exact: any 64-bit demand has one.
struct Footprint {
  Wide threads = 0;        // G-threads, whole warps
  Wide shared_memory = 0;  // bytes, with what the system adds
  Wide registers = 0;      // of whole warps
  Wide warps = 0;
  bool operator==(const Footprint&) const = default;
};

/// Of a block of H G-threads (CUDA Occupancy Calculator: threads by warps, registers by warps, shared memory by its unit).
[[nodiscard]] Footprint footprint(std::uint64_t H, std::uint64_t shared_memory, std::uint64_t registers_per_thread, const GpuPool& gpu);
[[nodiscard]] inline Footprint footprint(const GpuDemand& demand, const GpuPool& gpu) {
  return footprint(demand.H, demand.shared_memory, demand.registers_per_thread, gpu);
}

/// Whether an empty SM holds such a block.
[[nodiscard]] bool fits(const Footprint& block, const GpuPool& gpu);

/// How many warps that have so many registers each an empty SM holds, if registers are all that matters: whole ones in each part of its
/// register file. None where nothing limits them. Requires `per_warp` >= 0.
[[nodiscard]] std::optional<Wide> warps_with_registers(Wide per_warp, const GpuPool& gpu);

/// How many such blocks an empty SM holds.
[[nodiscard]] Wide blocks_per_sm(const Footprint& block, const GpuPool& gpu);

}  // namespace rta
