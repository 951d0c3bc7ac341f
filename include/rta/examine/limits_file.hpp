// What the program `examine --limits` prints on the target: one JSON object.
#pragma once

#include <string>
#include <string_view>

#include "rta/model/device_profile.hpp"

namespace rta::examine {

/// Throws io::InputError naming what is missing or wrong; `name` stands for the file.
[[nodiscard]] DeviceLimits parse_limits(std::string_view text, const std::string& name);

/// The limits as such an object.
[[nodiscard]] std::string format_limits(const DeviceLimits& limits);

/// The built-in device with that product name or, failing that, the only one with the same SMs and compute capability; empty when there is
/// none.
[[nodiscard]] std::string built_in_name(const DeviceLimits& limits);

}  // namespace rta::examine
