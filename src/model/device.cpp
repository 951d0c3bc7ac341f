#include "rta/model/device.hpp"

#include <algorithm>
#include <array>

#include "rta/model/error.hpp"

namespace rta {
namespace {

constexpr std::uint64_t kib = 1024;

// Threads, blocks and shared memory of an SM, shared memory and registers of a block: CUDA C++ Programming Guide, "Technical Specifications
// per Compute Capability" (11.x for 5.0 to 7.5, 13.x for 7.5 to 12.x; 11.0 also as deviceQuery on a Thor shows it).
constexpr std::array<Capability, 19> capabilities{{{"5.0", 2048, 32, 64 * kib, 48 * kib, 65'536},
                                                   {"5.2", 2048, 32, 96 * kib, 48 * kib, 65'536},
                                                   {"5.3", 2048, 32, 64 * kib, 48 * kib, 32'768},
                                                   {"6.0", 2048, 32, 64 * kib, 48 * kib, 65'536},
                                                   {"6.1", 2048, 32, 96 * kib, 48 * kib, 65'536},
                                                   {"6.2", 2048, 32, 64 * kib, 48 * kib, 32'768},
                                                   {"7.0", 2048, 32, 96 * kib, 96 * kib, 65'536},
                                                   {"7.2", 2048, 32, 96 * kib, 96 * kib, 65'536},
                                                   {"7.5", 1024, 16, 64 * kib, 64 * kib, 65'536},
                                                   {"8.0", 2048, 32, 164 * kib, 163 * kib, 65'536},
                                                   {"8.6", 1536, 16, 100 * kib, 99 * kib, 65'536},
                                                   {"8.7", 1536, 16, 164 * kib, 163 * kib, 65'536},
                                                   {"8.9", 1536, 24, 100 * kib, 99 * kib, 65'536},
                                                   {"9.0", 2048, 32, 228 * kib, 227 * kib, 65'536},
                                                   {"10.0", 2048, 32, 228 * kib, 227 * kib, 65'536},
                                                   {"10.3", 2048, 32, 228 * kib, 227 * kib, 65'536},
                                                   {"11.0", 1536, 24, 228 * kib, 227 * kib, 65'536},
                                                   {"12.0", 1536, 24, 100 * kib, 99 * kib, 65'536},
                                                   {"12.1", 1536, 24, 100 * kib, 99 * kib, 65'536}}};

// Allocation units: CUDA Occupancy Calculator (registers: 256 per warp; shared memory: 256 bytes up to 7.x, 128 bytes from 8.0 on, where
// 1 KiB more is reserved per block).
Device make(std::string_view name, std::string_view product, std::string_view capability, std::uint32_t sms, std::uint32_t copy_engines) {
  const Capability* const cc = find_capability(capability);
  require(cc != nullptr, "every built-in device has a known compute capability");
  const bool before_8 = capability[1] == '.' && capability[0] < '8';
  GpuPool gpu;
  gpu.sms = sms;
  gpu.sm = {cc->threads, 1024, cc->blocks, cc->shared_memory, 65'536};
  gpu.allocation = {32, before_8 ? 256U : 128U, before_8 ? 0 : kib, 256, register_parts(capability)};
  gpu.device = name;
  gpu.launch = launch_limits(capability);
  return {name, product, capability, copy_engines, gpu};
}

const std::array<Device, 17>& table() {
  static const std::array<Device, 17> devices{
      // SMs: NVIDIA Jetson TX1 module data sheet (256 cores, 128 per SM); copy engines: deviceQuery.
      make("tx1", "NVIDIA Jetson TX1", "5.3", 2, 1),
      // SMs, copy engines: deviceQuery.
      make("gtx-1070", "NVIDIA GeForce GTX 1070", "6.1", 15, 2),
      // SMs: Amert et al., RTSS 2017, section 2.1 (2 SMs, one copy engine).
      make("tx2", "NVIDIA Jetson TX2", "6.2", 2, 1),
      // SMs: NVIDIA Titan V specification (80 SMs); copy engines: deviceQuery, asyncEngineCount.
      make("titan-v", "NVIDIA TITAN V", "7.0", 80, 7),
      // SMs: NVIDIA Tesla V100 GPU Architecture whitepaper, table 1; copy engines: deviceQuery (SXM2).
      make("v100", "NVIDIA Tesla V100", "7.0", 80, 6),
      // SMs: NVIDIA Jetson AGX Xavier module data sheet (512 cores, 64 per SM).
      make("xavier", "NVIDIA Jetson AGX Xavier", "7.2", 8, 1),
      // SMs: NVIDIA A100 Tensor Core GPU Architecture whitepaper, table 4; copy engines: deviceQuery.
      make("a100", "NVIDIA A100", "8.0", 108, 3),
      // SMs: NVIDIA Jetson AGX Orin Series technical brief (2048 cores, 128 per SM); copy engines: deviceQuery.
      make("orin", "NVIDIA Jetson AGX Orin", "8.7", 16, 2),
      // SMs: NVIDIA Jetson Orin NX Series data sheet (1024 cores, 128 per SM); copy engines: deviceQuery.
      make("orin-nx", "NVIDIA Jetson Orin NX", "8.7", 8, 2),
      // SMs: NVIDIA Jetson Orin Nano Series data sheet (8 GB: 1024 cores; 4 GB has half); copy engines: as Orin NX, the same chip.
      make("orin-nano", "NVIDIA Jetson Orin Nano", "8.7", 8, 2),
      // SMs: NVIDIA Ada GPU Architecture whitepaper, table 2; copy engines: deviceQuery.
      make("rtx-4090", "NVIDIA GeForce RTX 4090", "8.9", 128, 2),
      // SMs, copy engines: deviceQuery.
      make("l4", "NVIDIA L4", "8.9", 58, 2),
      // SMs: NVIDIA H100 Tensor Core GPU Architecture whitepaper, table 3 (SXM5); copy engines: deviceQuery.
      make("h100", "NVIDIA H100 SXM5", "9.0", 132, 3),
      // SMs: cudaGetDeviceProperties on an H200 (132 multiprocessors); limits as compute capability 9.0.
      make("h200", "NVIDIA H200", "9.0", 132, 3),
      // SMs: cudaGetDeviceProperties (148 multiprocessors); their number of copy engines is not published: one.
      make("b200", "NVIDIA B200", "10.0", 148, 1),
      // SMs, copy engines: deviceQuery (Jetson AGX Thor developer kit, 2560 cores, 128 per SM).
      make("thor", "NVIDIA Thor", "11.0", 20, 1),
      // SMs: NVIDIA RTX Blackwell GPU Architecture whitepaper, appendix A; copy engines: deviceQuery.
      make("rtx-5090", "NVIDIA GeForce RTX 5090", "12.0", 170, 2),
  };
  return devices;
}

}  // namespace

const Capability* find_capability(std::string_view name) {
  const auto* const at = std::ranges::find(capabilities, name, &Capability::name);
  return at == capabilities.end() ? nullptr : at;
}

std::uint32_t register_parts(std::string_view capability) { return capability == capability_of_two_parts ? 2 : most_register_parts; }

LaunchLimits launch_limits(std::string_view capability) {
  const Capability* const cc = find_capability(capability);
  if (cc == nullptr) return {};
  LaunchLimits limits{cc->shared_memory_per_block, std::nullopt, 255};
  if (capability != capability_of_two_parts) limits.registers_per_block = cc->registers_per_block;
  return limits;
}

std::span<const Device> devices() { return table(); }

const Device* find_device(std::string_view name) {
  const auto& all = table();
  const auto* at = std::find_if(all.begin(), all.end(), [&](const Device& d) { return d.name == name; });
  return at == all.end() ? nullptr : at;
}

}  // namespace rta
