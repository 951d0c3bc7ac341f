// The built-in table of NVIDIA devices.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "rta/model/pool.hpp"

namespace rta {

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
