#include "rta/model/footprint.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "rta/model/device.hpp"
#include "rta/model/error.hpp"

using namespace rta;

TEST_CASE("a block takes whole warps, units of shared memory and units of registers") {
  // Compute capability 9.0: warps of 32, 128 B of shared memory and 256 registers a warp at a time; the system adds 1 KiB to each block.
  const GpuPool h100 = find_device("h100")->gpu;
  // 100 threads are 4 warps, so 128. 5000 + 1024 = 6024 B = 47.06 units, so 48 x 128 = 6144.
  // 40 registers x 32 = 1280 = 5 units a warp, x 4 warps = 5120.
  CHECK(footprint(100, 5000, 40, h100) == Footprint{128, 6144, 5120, 4});
  // 41 x 32 = 1312 = 5.125 units, so 6 x 256 = 1536 a warp, x 4 = 6144. Without shared memory the system still takes its own.
  CHECK(footprint(128, 0, 41, h100) == Footprint{128, 1024, 6144, 4});
}

TEST_CASE("what an SM does not limit is not counted") {
  GpuPool gpu;
  CHECK(footprint(33, 4096, 64, gpu) == Footprint{33, 0, 0, 33});
  gpu.sm.registers = 65536;
  CHECK(footprint(33, 4096, 64, gpu) == Footprint{33, 0, 33 * 64, 33});
}

TEST_CASE("a block fits that fills an SM, and none that needs a little more") {
  GpuPool gpu = find_device("v100")->gpu;  // 2048 threads, 96 KiB, 65536 registers; nothing reserved
  CHECK(fits(footprint(2048, 96 * 1024, 32, gpu), gpu));
  CHECK_FALSE(fits(footprint(2049, 0, 0, gpu), gpu));
  CHECK_FALSE(fits(footprint(1024, 96 * 1024 + 1, 0, gpu), gpu));
  CHECK_FALSE(fits(footprint(2048, 0, 33, gpu), gpu));
  CHECK_FALSE(fits(footprint(0, 0, 0, gpu), gpu));
  gpu.sm.blocks = 0;
  CHECK_FALSE(fits(footprint(32, 0, 0, gpu), gpu));
}

TEST_CASE("no 64-bit demand wraps") {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  GpuPool gpu = find_device("a100")->gpu;
  gpu.allocation.reserved_shared_memory = most;
  CHECK_FALSE(fits(footprint(1, most, 0, gpu), gpu));
  CHECK_FALSE(fits(footprint(most, 0, 0, gpu), gpu));
  // 2^64 threads in warps of 32 with 2^64 registers each would need 133 bits.
  CHECK_THROWS_AS(static_cast<void>(footprint(most, 0, most, gpu)), Overflow);
}

TEST_CASE("a unit of allocation is not 0") {
  GpuPool gpu;
  gpu.allocation.warp = 0;
  CHECK_THROWS_AS(static_cast<void>(footprint(1, 0, 0, gpu)), Defect);
}
