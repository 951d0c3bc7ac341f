// Device profiles (YAML): a GPU's measured limits, latencies and the scheduling rules that it was found to follow.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "rta/io/diagnostic.hpp"
#include "rta/model/device_profile.hpp"

namespace rta::io {

/// Reads a profile; `-` is standard input. Throws `InputError` with everything that is wrong.
[[nodiscard]] DeviceProfile read_profile(const std::filesystem::path& path);
/// Reads a profile from text; `name` stands for the file in messages. Throws `InputError`.
[[nodiscard]] DeviceProfile parse_profile(std::string_view text, const std::string& name);

/// The profile as a file: `parse_profile(format_profile(p), n)` equals p, but for line breaks and control characters in texts, which become
/// spaces.
[[nodiscard]] std::string format_profile(const DeviceProfile& profile);

}  // namespace rta::io
