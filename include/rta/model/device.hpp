// The built-in table of NVIDIA devices.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rta/model/pool.hpp"

namespace rta {

/// What all devices of a compute capability have in common.
struct Capability {
  std::string_view name;                      // e.g. 9.0
  std::uint32_t threads = 0, blocks = 0;      // of an SM
  std::uint64_t shared_memory = 0;            // of an SM, bytes
  std::uint64_t shared_memory_per_block = 0;  // of a kernel that opts in, bytes
  std::uint64_t registers_per_block = 0;
};
/// Null where the table does not have it.
[[nodiscard]] const Capability* find_capability(std::string_view name);
/// Its register file has two parts, not four; as many registers as an SM has are the limit of a launch.
inline constexpr std::string_view capability_of_two_parts = "6.0";
/// Of an SM's register file; four where the compute capability is not known.
[[nodiscard]] std::uint32_t register_parts(std::string_view capability);
/// None of what is not known of that compute capability.
[[nodiscard]] LaunchLimits launch_limits(std::string_view capability);

/// A device that a task set may name (`device: titan-v`).
struct Device {
  std::string_view name;
  std::string_view product;
  std::string_view compute_capability;
  std::uint32_t copy_engines;
  GpuPool gpu;
};

/// All built-in devices, oldest first.
[[nodiscard]] std::span<const Device> devices();
/// The device of that exact name.
[[nodiscard]] const Device* find_device(std::string_view name);

}  // namespace rta
