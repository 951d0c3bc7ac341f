#include "rta/model/footprint.hpp"

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
  if (gpu.sm.registers) {
    // Threads that fill up the last warp have registers, too.
    const Wide per_warp = checked_mul<Wide>(static_cast<Wide>(registers_per_thread), unit.warp);
    block.registers = checked_mul<Wide>(block.threads / unit.warp, rounded_up(per_warp, static_cast<Wide>(unit.registers_per_warp)));
  }
  return block;
}

bool fits(const Footprint& block, const SmResources& sm) {
  const auto within = [](Wide amount, const std::optional<std::uint64_t>& limit) { return !limit || amount <= static_cast<Wide>(*limit); };
  return block.threads > 0 && block.threads <= sm.threads && sm.blocks > 0 && within(block.shared_memory, sm.shared_memory) &&
         within(block.registers, sm.registers);
}

}  // namespace rta
