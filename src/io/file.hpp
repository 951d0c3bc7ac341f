// Whole files in.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace rta::io {

/// Larger files are refused before they fill the memory; a task set of a million nodes fits.
inline constexpr std::size_t largest_file = std::size_t{64} << 20U;
[[nodiscard]] std::string too_large();

/// The content of a file, of standard input for `-`. `name` stands for it in messages. Throws `InputError`.
[[nodiscard]] std::string read_file(const std::filesystem::path& path, const std::string& name);

}  // namespace rta::io
