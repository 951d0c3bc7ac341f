// Whole files in.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

namespace rta::io {

/// Larger files are refused before they fill the memory: 64 MiB, in which a task set of some hundred thousand nodes fits, or what was set.
[[nodiscard]] std::size_t largest_file();
/// To be called before other threads read files.
void set_largest_file(std::size_t bytes);
[[nodiscard]] std::string too_large();

/// The content of a file, of standard input for `-`. `name` stands for it in messages. Throws `InputError`.
[[nodiscard]] std::string read_file(const std::filesystem::path& path, const std::string& name);
/// The same; whoever is told of it (`on_read`) may keep it.
[[nodiscard]] std::shared_ptr<const std::string> read_shared_file(const std::filesystem::path& path, const std::string& name);

}  // namespace rta::io
