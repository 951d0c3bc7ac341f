#include "device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rta/model/device.hpp"

namespace rta::convert {
namespace {

// Blocks per SM: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
struct Capability {
  std::uint32_t major, minor;
  std::uint32_t blocks;
};
constexpr std::array capabilities{
    Capability{5, 0, 32}, Capability{5, 2, 32}, Capability{5, 3, 32},  Capability{6, 0, 32},  Capability{6, 1, 32},  Capability{6, 2, 32},
    Capability{7, 0, 32}, Capability{7, 2, 32}, Capability{7, 5, 16},  Capability{8, 0, 32},  Capability{8, 6, 16},  Capability{8, 7, 16},
    Capability{8, 9, 24}, Capability{9, 0, 32}, Capability{10, 0, 32}, Capability{10, 3, 32}, Capability{12, 0, 24}, Capability{12, 1, 24},
};

const ProfiledDevice* recorded(const Profile& profile, std::int64_t number) {
  const auto at = std::ranges::find(profile.devices, number, &ProfiledDevice::number);
  return at == profile.devices.end() ? nullptr : &*at;
}

std::string device_names() {
  std::string names;
  for (const Device& device : devices()) names += (names.empty() ? "" : ", ") + std::string(device.name);
  return names;
}

// Units of allocation: 256 registers per warp; shared memory by 256 bytes up to 7.x, from 8.0 on by 128 with 1 KiB for the system.
Allocation allocation_of(const ProfiledDevice& device) {
  const bool from_8 = device.major.value_or(8) >= 8;
  return {device.warp.value_or(32), from_8 ? 128U : 256U, from_8 ? 1024U : 0U, 256};
}

}  // namespace

std::optional<GpuPool> gpu_pool(const Profile& profile, std::int64_t number, const Options& options, Notes& notes) {
  const ProfiledDevice* const device = recorded(profile, number);
  if (options.device) {
    const Device* const built_in = find_device(*options.device);
    if (built_in == nullptr)
      refuse(profile.file, fmt::format("--device '{}': no such device (allowed: {})", *options.device, device_names()));
    if (device != nullptr && device->sms && *device->sms != built_in->gpu.sms) {
      notes.assume(fmt::format("GPU {}: {} with {} SMs, as --device says; the recording was made on {} with {}", number, built_in->product,
                               built_in->gpu.sms, device->name.empty() ? "a GPU" : device->name, *device->sms));
    }
    return built_in->gpu;
  }
  if (device == nullptr || !device->sms || !device->threads) {
    notes.miss(fmt::format("the file does not say how many SMs and threads GPU {}{} has: give --device NAME (one of {})", number,
                           device == nullptr || device->name.empty() ? std::string() : " (" + device->name + ")", device_names()));
    return std::nullopt;
  }
  GpuPool pool;
  pool.sms = *device->sms;
  pool.sm.threads = *device->threads;
  pool.sm.threads_per_block = device->threads_per_block.value_or(std::min<std::uint32_t>(1024, pool.sm.threads));
  pool.sm.shared_memory = device->shared_memory;
  pool.sm.registers = device->registers;
  pool.allocation = allocation_of(*device);
  if (device->blocks) {
    pool.sm.blocks = *device->blocks;
  } else {
    const auto* const known =
        std::ranges::find_if(capabilities, [&](const Capability& c) { return device->major == c.major && device->minor == c.minor; });
    if (known == capabilities.end()) {
      notes.miss(fmt::format("the file does not say how many blocks an SM of GPU {} ({}) holds: give --device NAME (one of {})", number,
                             device->name, device_names()));
      return std::nullopt;
    }
    pool.sm.blocks = known->blocks;
    notes.assume(fmt::format("GPU {} ({}): {} blocks per SM, as all GPUs of compute capability {}.{} have", number, device->name,
                             known->blocks, known->major, known->minor));
  }
  // A built-in device with just these limits, and whose name is part of the recorded one, names it.
  std::string name = device->name;
  std::ranges::transform(name, name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  std::erase(name, ' ');
  for (const Device& built_in : devices()) {
    std::string part(built_in.name);
    std::erase(part, '-');
    GpuPool same = built_in.gpu;
    same.device.clear();
    if (same == pool && name.find(part) != std::string::npos) {
      pool.device = built_in.name;
      break;
    }
  }
  return pool;
}

std::uint32_t copy_engines(const Profile& profile, std::int64_t number, const GpuPool& gpu, const Options& options, Notes& notes) {
  if (options.copy_engines) return *options.copy_engines;
  const ProfiledDevice* const device = recorded(profile, number);
  if (device != nullptr && device->copy_engines && !options.device) return std::min(*device->copy_engines, 2U);
  if (const Device* const built_in = find_device(gpu.device)) return std::min(built_in->copy_engines, 2U);
  notes.assume(fmt::format("GPU {}: one copy engine for both directions (--copy-engines 2: one for each)", number));
  return 1;
}

std::uint64_t resident_blocks(const GpuPool& gpu, const GpuOperation& kernel) {
  const auto ceil_to = [](std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; };
  const std::uint64_t threads = ceil_to(std::max<std::uint32_t>(kernel.H, 1), gpu.allocation.warp);
  std::uint64_t blocks = std::min<std::uint64_t>(gpu.sm.blocks, gpu.sm.threads / std::max<std::uint64_t>(threads, 1));
  if (gpu.sm.shared_memory) {
    const std::uint64_t shared = ceil_to(kernel.shared_memory + gpu.allocation.reserved_shared_memory, gpu.allocation.shared_memory);
    if (shared > 0) blocks = std::min(blocks, *gpu.sm.shared_memory / shared);
  }
  if (gpu.sm.registers && kernel.registers > 0) {
    const std::uint64_t per_warp = ceil_to(std::uint64_t{kernel.registers} * gpu.allocation.warp, gpu.allocation.registers_per_warp);
    blocks = std::min(blocks, *gpu.sm.registers / (per_warp * (threads / gpu.allocation.warp)));
  }
  return std::max<std::uint64_t>(blocks, 1);
}

}  // namespace rta::convert
