#include "rta/model/device.hpp"

#include <algorithm>
#include <array>

namespace rta {
namespace {

constexpr std::uint64_t kib = 1024;

// Per-SM limits by compute capability: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"
// (threads, blocks, shared memory, registers; 1 KiB of shared memory per block is reserved from 8.0 on).
// Allocation units: CUDA Occupancy Calculator (registers: 256 per warp; shared memory: 256 bytes up to 7.x, 128 bytes from 8.0 on).
struct Capability {
  std::uint32_t threads, blocks;
  std::uint64_t shared_memory;
  std::uint64_t shared_unit, shared_reserved;
};
constexpr Capability cc_6_2{2048, 32, 64 * kib, 256, 0};
constexpr Capability cc_7_0{2048, 32, 96 * kib, 256, 0};
constexpr Capability cc_7_2{2048, 32, 96 * kib, 256, 0};
constexpr Capability cc_8_0{2048, 32, 164 * kib, 128, kib};
constexpr Capability cc_8_7{1536, 16, 164 * kib, 128, kib};
constexpr Capability cc_8_9{1536, 24, 100 * kib, 128, kib};
constexpr Capability cc_9_0{2048, 32, 228 * kib, 128, kib};
constexpr Capability cc_12_0{1536, 24, 100 * kib, 128, kib};

Device make(std::string_view name, std::string_view product, std::string_view capability, const Capability& cc, std::uint32_t sms,
            std::uint32_t copy_engines) {
  GpuPool gpu;
  gpu.sms = sms;
  gpu.sm = {cc.threads, 1024, cc.blocks, cc.shared_memory, 65536};
  gpu.allocation = {32, cc.shared_unit, cc.shared_reserved, 256};
  gpu.device = name;
  return {name, product, capability, copy_engines, gpu};
}

const std::array<Device, 10>& table() {
  static const std::array<Device, 10> devices{
      // SMs: Amert et al., RTSS 2017, section 2.1 (2 SMs, one copy engine).
      make("tx2", "NVIDIA Jetson TX2", "6.2", cc_6_2, 2, 1),
      // SMs: NVIDIA Titan V specification (80 SMs); copy engines: deviceQuery, asyncEngineCount.
      make("titan-v", "NVIDIA TITAN V", "7.0", cc_7_0, 80, 7),
      // SMs: NVIDIA Tesla V100 GPU Architecture whitepaper, table 1; copy engines: deviceQuery (SXM2).
      make("v100", "NVIDIA Tesla V100", "7.0", cc_7_0, 80, 6),
      // SMs: NVIDIA Jetson AGX Xavier module data sheet (512 cores, 64 per SM).
      make("xavier", "NVIDIA Jetson AGX Xavier", "7.2", cc_7_2, 8, 1),
      // SMs: NVIDIA A100 Tensor Core GPU Architecture whitepaper, table 4; copy engines: deviceQuery.
      make("a100", "NVIDIA A100", "8.0", cc_8_0, 108, 3),
      // SMs: NVIDIA Jetson AGX Orin Series technical brief (2048 cores, 128 per SM); copy engines: deviceQuery.
      make("orin", "NVIDIA Jetson AGX Orin", "8.7", cc_8_7, 16, 2),
      // SMs: NVIDIA Ada GPU Architecture whitepaper, table 2; copy engines: deviceQuery.
      make("rtx-4090", "NVIDIA GeForce RTX 4090", "8.9", cc_8_9, 128, 2),
      // SMs: NVIDIA H100 Tensor Core GPU Architecture whitepaper, table 3 (SXM5); copy engines: deviceQuery.
      make("h100", "NVIDIA H100 SXM5", "9.0", cc_9_0, 132, 3),
      // SMs: cudaGetDeviceProperties on an H200 (132 multiprocessors); limits as compute capability 9.0.
      make("h200", "NVIDIA H200", "9.0", cc_9_0, 132, 3),
      // SMs: NVIDIA RTX Blackwell GPU Architecture whitepaper, appendix A; copy engines: deviceQuery.
      make("rtx-5090", "NVIDIA GeForce RTX 5090", "12.0", cc_12_0, 170, 2),
  };
  return devices;
}

}  // namespace

std::span<const Device> devices() { return table(); }

const Device* find_device(std::string_view name) {
  const auto& all = table();
  const auto* at = std::find_if(all.begin(), all.end(), [&](const Device& d) { return d.name == name; });
  return at == all.end() ? nullptr : at;
}

}  // namespace rta
