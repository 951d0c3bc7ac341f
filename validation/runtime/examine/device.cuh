// The device as an examination sees it: what it says of itself, its clocks, memory for records.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "common/cuda_memory.cuh"
#include "common/gpu_device.cuh"
#include "common/machine.hpp"
#include "common/trace_file.hpp"
#include "kernels.cuh"
#include "output_file.hpp"

namespace examine {

using common::fix_carveout;
using common::on_device;
using common::on_host;

/// Checks that there is such a device before anything is done with it.
inline void require_device(int index) {
  int count = 0;
  CUDA_CALL(cudaGetDeviceCount(&count));
  if (index >= count) fail("there is no CUDA device " + std::to_string(index) + " (" + std::to_string(count) + " present, counted from 0)");
}

inline int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  CUDA_CALL(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

inline std::string version_text(int version) { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

/// The driver's own version where Linux tells it, else the CUDA version that it supports.
inline std::string driver_version() {
  const std::string version = common::first_line("/sys/module/nvidia/version");
  if (!version.empty()) return version;
  int cuda = 0;
  CUDA_CALL(cudaDriverGetVersion(&cuda));
  return "CUDA " + version_text(cuda);
}
inline std::string runtime_version() {
  int version = 0;
  CUDA_CALL(cudaRuntimeGetVersion(&version));
  return version_text(version);
}
/// The device in NVML's terms.
inline std::string bus_of(int device) {
  char text[32] = {};
  CUDA_CALL(cudaDeviceGetPCIBusId(text, sizeof text, device));
  return text;
}
inline std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU-";
  for (int b = 0; b < 16; ++b) {
    char digits[4];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[b])));
    text += (b == 4 || b == 6 || b == 8 || b == 10 ? "-" : "") + std::string(digits);
  }
  return text;
}

/// One JSON object: the limits that probes are scaled to.
inline std::string limits_text(int index) {
  require_device(index);
  CUDA_CALL(cudaSetDevice(index));
  cudaDeviceProp is{};
  CUDA_CALL(cudaGetDeviceProperties(&is, index));
  int lowest = 0;
  int highest = 0;
  CUDA_CALL(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
  const int mode = attribute(cudaDevAttrComputeMode, index);
  const char* connections = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");
  std::string text;
  const auto add = [&](const char* key, const std::string& value) {
    text += (text.empty() ? "{\"" : ", \"") + std::string(key) + "\": " + value;
  };
  const auto number = [&](const char* key, cudaDeviceAttr which) { add(key, std::to_string(attribute(which, index))); };
  const auto yes_no = [&](const char* key, bool yes) { add(key, yes ? "true" : "false"); };
  add("device", common::json_string(is.name));
  add("compute_capability", common::json_string(std::to_string(is.major) + "." + std::to_string(is.minor)));
  add("driver", common::json_string(driver_version()));
  add("cuda", common::json_string(runtime_version()));
  add("uuid", common::json_string(uuid_text(is.uuid)));
  add("bus", common::json_string(bus_of(index)));
  number("sms", cudaDevAttrMultiProcessorCount);
  number("warp", cudaDevAttrWarpSize);
  number("threads_per_sm", cudaDevAttrMaxThreadsPerMultiProcessor);
  number("threads_per_block", cudaDevAttrMaxThreadsPerBlock);
  number("blocks_per_sm", cudaDevAttrMaxBlocksPerMultiprocessor);
  number("shared_per_sm", cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  number("shared_per_block", cudaDevAttrMaxSharedMemoryPerBlockOptin);
  number("reserved_shared_per_block", cudaDevAttrReservedSharedMemoryPerBlock);
  number("registers_per_sm", cudaDevAttrMaxRegistersPerMultiprocessor);
  number("registers_per_block", cudaDevAttrMaxRegistersPerBlock);
  number("copy_engines", cudaDevAttrAsyncEngineCount);
  add("priority_levels", std::to_string(lowest - highest + 1));
  number("clock_khz", cudaDevAttrClockRate);
  number("memory_clock_khz", cudaDevAttrMemoryClockRate);
  add("memory_bytes", std::to_string(is.totalGlobalMem));
  yes_no("concurrent_kernels", attribute(cudaDevAttrConcurrentKernels, index) != 0);
  yes_no("preemption", attribute(cudaDevAttrComputePreemptionSupported, index) != 0);
  yes_no("integrated", attribute(cudaDevAttrIntegrated, index) != 0);
  yes_no("time_limit", attribute(cudaDevAttrKernelExecTimeout, index) != 0);
  yes_no("mps", common::mps_is_active());
  add("compute_mode", mode == cudaComputeModeDefault      ? "\"default\""
                      : mode == cudaComputeModeProhibited ? "\"prohibited\""
                                                          : "\"exclusive-process\"");
  add("connections", connections == nullptr ? "null" : common::json_string(connections));
  return text + "}";
}

/// Idle SMs clock down; this brings them up, for `length` ns.
inline void warm_up(const common::GpuDevice& device, std::int64_t length) {
  const auto blocks = static_cast<unsigned>(device.properties().multiProcessorCount);
  common::launch(common::spin<0>, blocks, 128, 0, device.service_stream(), static_cast<unsigned long long>(length), nullptr, nullptr);
  CUDA_CALL(cudaStreamSynchronize(device.service_stream()));
}

/// The clock of an SM in kHz. `out`: two numbers in pinned memory.
inline double measure_khz(const common::GpuDevice& device, unsigned long long* out) {
  common::launch(count_cycles, 1, 1, 0, device.service_stream(), 200'000ULL, out);
  CUDA_CALL(cudaStreamSynchronize(device.service_stream()));
  const volatile unsigned long long* counted = out;
  return static_cast<double>(counted[0]) * 1e6 / static_cast<double>(counted[1]);
}

}  // namespace examine
