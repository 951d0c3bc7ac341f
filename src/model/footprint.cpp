#include "rta/model/footprint.hpp"

#include <algorithm>

#include "rta/model/error.hpp"

namespace rta {
namespace {

Wide rounded_up(Wide amount, Wide unit) { return ceil_div(amount, unit) * unit; }

}  // namespace

Footprint footprint(std::uint64_t H, std::uint64_t shared_memory, std::uint64_t registers_per_thread, const GpuPool& gpu) {
  const Allocation& unit = gpu.allocation;
  require(unit.warp > 0 && unit.shared_memory > 0 && unit.registers_per_warp > 0, "units of allocation are above 0");
  Footprint block;
  block.threads = rounded_up(static_cast<Wide>(H), unit.warp);
  if (gpu.sm.shared_memory) {
    const Wide bytes = static_cast<Wide>(shared_memory) + static_cast<Wide>(unit.reserved_shared_memory);
    block.shared_memory = rounded_up(bytes, static_cast<Wide>(unit.shared_memory));
  }
  block.warps = block.threads / unit.warp;
  if (gpu.sm.registers) {
    // Threads that fill up the last warp have registers, too.
    const Wide per_warp = checked_mul<Wide>(static_cast<Wide>(registers_per_thread), unit.warp);
    block.registers = checked_mul<Wide>(block.warps, rounded_up(per_warp, static_cast<Wide>(unit.registers_per_warp)));
  }
  return block;
}

std::optional<Wide> warps_with_registers(Wide per_warp, const GpuPool& gpu) {
  if (!gpu.sm.registers || per_warp == 0) return std::nullopt;
  const Wide parts = gpu.allocation.register_parts;
  return parts * (static_cast<Wide>(*gpu.sm.registers) / parts / per_warp);
}

Wide blocks_per_sm(const Footprint& block, const GpuPool& gpu) {
  if (block.threads == 0) return 0;
  Wide blocks = std::min<Wide>(gpu.sm.blocks, Wide{gpu.sm.threads} / block.threads);
  if (gpu.sm.shared_memory && block.shared_memory > 0)
    blocks = std::min(blocks, static_cast<Wide>(*gpu.sm.shared_memory) / block.shared_memory);
  if (const auto warps = warps_with_registers(block.registers / block.warps, gpu)) blocks = std::min(blocks, *warps / block.warps);
  return blocks;
}

bool fits(const Footprint& block, const GpuPool& gpu) { return blocks_per_sm(block, gpu) > 0; }

}  // namespace rta
