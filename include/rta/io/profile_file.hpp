// Device profiles (YAML): a GPU's measured limits, latencies and the scheduling rules that it was found to follow.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/io/diagnostic.hpp"
#include "rta/io/setting.hpp"
#include "rta/model/device_profile.hpp"
#include "rta/model/measured_company.hpp"

namespace rta::io {

struct ProfileFile {
  DeviceProfile profile;
  std::optional<MeasuredCompany> company;  // what its `interference` was made of
};
/// Reads a profile with all that it holds; `-` is standard input. Throws `InputError` with everything that is wrong.
[[nodiscard]] ProfileFile read_profile_file(const std::filesystem::path& path);
[[nodiscard]] ProfileFile parse_profile_file(std::string_view text, const std::string& name);

/// Reads a profile; `-` is standard input. Throws `InputError` with everything that is wrong.
[[nodiscard]] DeviceProfile read_profile(const std::filesystem::path& path);
/// Reads a profile from text; `name` stands for the file in messages. Throws `InputError`.
[[nodiscard]] DeviceProfile parse_profile(std::string_view text, const std::string& name);

/// The profile as a file: `parse_profile(format_profile(p), n)` equals p, but for line breaks and control characters in texts, which become
/// spaces. So for `company`.
[[nodiscard]] std::string format_profile(const DeviceProfile& profile, const std::optional<MeasuredCompany>& company = std::nullopt);

/// What the profile says of company, for each GPU of the task set in `text` that says nothing of it: settings to parse it with. None where
/// the profile says nothing either, or where no kernel asks. Throws `InputError` where the text is no YAML.
[[nodiscard]] std::vector<Setting> measured_company(const DeviceProfile& profile, std::string_view text, const std::string& name);

/// The latency of a profile that stands in place of a GPU's `launch_overhead`: from the call that launches a kernel to its first block, the
/// GPU being idle.
inline constexpr std::string_view launch_latency = "launch";
/// Likewise for each GPU of the task set in `text` that has `launch_overhead` and names a device, the longest launch; for each that has
/// `dispatch_latency` none, where the profile has one: analyses on that device add it.
[[nodiscard]] std::vector<Setting> measured_launches(const DeviceProfile& profile, std::string_view text, const std::string& name);

}  // namespace rta::io
