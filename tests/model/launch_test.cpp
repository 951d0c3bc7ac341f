// Which kernels a GPU refuses to launch, at the limits of the devices.
#include "rta/model/launch.hpp"

#include <doctest/doctest.h>

#include <string>

#include "rta/model/device.hpp"
#include "rta/model/device_profile.hpp"
#include "rta/model/footprint.hpp"

using namespace rta;

namespace {

std::string faults(std::string_view device, std::uint32_t H, std::uint64_t shared_memory, std::uint32_t registers) {
  GpuDemand kernel;
  kernel.H = H;
  kernel.shared_memory = shared_memory;
  kernel.registers_per_thread = registers;
  std::string text;
  for (const LaunchFault& fault : launch_faults(kernel, find_device(device)->gpu, "'g'")) {
    text += (text.empty() ? "" : "\n") + std::string(key_of(fault.demand)) + ": " + fault.what;
  }
  return text;
}

}  // namespace

TEST_CASE("shared memory of a block: 48 KiB on a TX2, whose SM has 64; what a kernel can opt in to elsewhere") {
  CHECK(faults("tx2", 256, 48 * 1024, 0) == "");
  CHECK(faults("tx2", 256, 48 * 1024 + 1, 0) == "shared_memory: 49153 bytes per block are more than 'g' lets a block have (49152 allowed)");
  CHECK(faults("titan-v", 256, 96 * 1024, 0) == "");
  CHECK(faults("h200", 256, 227 * 1024, 0) == "");
  // 227 KiB and a byte, with the 1 KiB of the system, are above the 228 KiB of an SM.
  CHECK(faults("h200", 256, 227 * 1024 + 1, 0) ==
        "shared_memory: 232449 bytes per block (as allocated: 233600) do not fit on one SM of 'g' (233472 allowed)");
}

TEST_CASE("registers of a thread: 255 on every device") {
  for (const Device& device : devices()) {
    CAPTURE(device.name);
    CHECK(faults(device.name, 32, 0, 255) == "");
    CHECK(faults(device.name, 32, 0, 256) == "registers: 256 per thread are more than 'g' lets a G-thread have (255 allowed)");
  }
}

TEST_CASE("registers of a block: half of an SM's on a TX1 and a TX2") {
  // 32 registers x 32 G-threads = 1024 a warp, x 32 warps = 32768. One more: 1056, in units of 256: 1280 a warp, 40960.
  for (const char* device : {"tx1", "tx2"}) {
    CAPTURE(device);
    CHECK(faults(device, 1024, 0, 32) == "");
    CHECK(faults(device, 1024, 0, 33) ==
          "registers: 33 per thread (per block, as a launch counts them: 40960) are more than 'g' lets a block have (32768 allowed)");
  }
  CHECK(faults("xavier", 1024, 0, 64) == "");
  CHECK(faults("gtx-1070", 1024, 0, 64) == "");
  // 65 x 32 = 2080, in units of 256: 2304 a warp, x 32 warps = 73728.
  CHECK(faults("xavier", 1024, 0, 65) ==
        "registers: 65 per thread (per block, as allocated: 73728) do not fit on one SM of 'g' (65536 allowed)");
}

TEST_CASE("a launch counts warps by fours") {
  // 120 registers: 3840 a warp. 17 warps of 544 G-threads have 65280, which an SM holds, but a launch counts 20 warps, 76800.
  CHECK(faults("h200", 544, 0, 120) ==
        "registers: 120 per thread (per block, as a launch counts them: 76800) are more than 'g' lets a block have (65536 allowed)");
  // 16 warps: 61440.
  CHECK(faults("h200", 512, 0, 120) == "");
}

TEST_CASE("both faults are told") {
  CHECK(faults("tx2", 1024, 60'000, 40) ==
        "shared_memory: 60000 bytes per block are more than 'g' lets a block have (49152 allowed)\n"
        "registers: 40 per thread (per block, as a launch counts them: 40960) are more than 'g' lets a block have (32768 allowed)");
}

TEST_CASE("blocks that start together fit on the GPU at once, or it does not launch them") {
  // 16 SMs of 1536 G-threads hold 3 blocks of 512 each, 48 in all.
  GpuDemand kernel;
  kernel.H = 512;
  kernel.B = 49;
  const GpuPool gpu = find_device("orin")->gpu;
  const auto fault = [&]() -> std::string {
    const auto all = launch_faults(kernel, gpu, "'g'");
    return all.empty() ? "" : std::string(key_of(all[0].demand)) + ": " + all[0].what;
  };
  CHECK(fault() == "");
  kernel.cooperative = true;
  CHECK(fault() == "B: 49 blocks of a cooperative launch do not fit on 'g' at once (48 allowed)");
  CHECK(together_text(kernel) == "cooperative: true");
  kernel.B = 48;
  CHECK(fault() == "");
  kernel.cluster = 8;
  CHECK(fault() == "");
  CHECK(together_text(kernel) == "cluster: 8, cooperative: true");
  kernel.cooperative = false;
  kernel.H = 1024;
  kernel.cluster = 16;  // one block on each SM
  CHECK(fault() == "");
  GpuPool smaller = gpu;
  smaller.sms = 15;
  CHECK(launch_faults(kernel, smaller, "'g'").at(0).what == "16 blocks of a cluster do not fit on 'g' at once (15 allowed)");
}

TEST_CASE("a GPU described in full has no other limits than it says") {
  GpuDemand kernel;
  kernel.H = 1024;
  kernel.shared_memory = 1 << 20;
  kernel.registers_per_thread = 1000;
  GpuPool gpu;
  CHECK(launch_faults(kernel, gpu, "g").empty());
  gpu.launch.registers_per_block = 1'024'000;
  CHECK(launch_faults(kernel, gpu, "g").empty());
  gpu.launch.registers_per_block = 1'023'999;
  CHECK(launch_faults(kernel, gpu, "g").size() == 1);
}

TEST_CASE("a profile's limits are what was measured, and else those of its compute capability") {
  for (const Device& device : devices()) {
    CAPTURE(device.name);
    CHECK(gpu_pool(limits_of(device)).launch == device.gpu.launch);
  }
  DeviceLimits limits;
  limits.compute_capability = "6.2";
  CHECK(gpu_pool(limits).launch == LaunchLimits{49'152, 32'768, 255});
  limits.shared_per_block = 1000;
  limits.registers_per_block = 2000;
  CHECK(gpu_pool(limits).launch == LaunchLimits{1000, 2000, 255});
  // Its register file has two parts: by fours, launches would be refused that are none.
  limits.compute_capability = "6.0";
  CHECK(gpu_pool(limits).launch == LaunchLimits{1000, std::nullopt, 255});
  limits.compute_capability = "99.0";
  CHECK(gpu_pool(limits).launch == LaunchLimits{1000, 2000, std::nullopt});
  CHECK(launch_limits("99.0") == LaunchLimits{});
}

TEST_CASE("each of the four parts of a register file holds whole warps") {
  GpuPool gpu = find_device("h200")->gpu;
  GpuDemand kernel;
  kernel.H = 224;
  // 96 registers: 3072 a warp, of which 16384 hold 5, 20 in all: two blocks of 7, not the three that 65536/21504 come to.
  kernel.registers_per_thread = 96;
  CHECK(warps_with_registers(3072, gpu) == Wide{20});
  CHECK(blocks_per_sm(footprint(kernel, gpu), gpu) == 2);
  gpu.allocation.register_parts = 1;
  CHECK(blocks_per_sm(footprint(kernel, gpu), gpu) == 3);
  CHECK(warps_with_registers(0, gpu) == std::nullopt);
  CHECK(find_device("tx1")->gpu.allocation.register_parts == 4);
  CHECK(register_parts("6.0") == 2);
  CHECK(register_parts("99.0") == 4);
  // A GPU described in full: 16 warps of 3 in four parts of 16 are 20, so 21 do not fit.
  GpuPool own;
  own.sm.registers = 64;
  own.allocation.register_parts = 4;
  kernel.H = 21;
  kernel.registers_per_thread = 3;
  const auto faults_of_own = launch_faults(kernel, own, "'g'");
  REQUIRE(faults_of_own.size() == 1);
  CHECK(
      faults_of_own[0].what ==
      "3 per thread (21 warps per block) do not fit on one SM of 'g' (20 warps allowed: each part of its register file holds whole ones)");
}
