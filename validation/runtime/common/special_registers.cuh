// What a thread on the device can ask of the hardware.
#pragma once

#include <cstdint>

namespace common {

/// Of the whole device, in ns.
__device__ inline std::uint64_t global_time() {
  std::uint64_t time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}
__device__ inline unsigned sm_number() {
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  return sm;
}

}  // namespace common
