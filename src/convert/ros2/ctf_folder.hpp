// Traces in CTF: folders that babeltrace2 prints.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "../bytes.hpp"

namespace rta::convert {

/// Whether a trace in CTF is in the folder, or below it: LTTng's `SESSION/ust/uid/1000/64-bit/metadata`.
[[nodiscard]] bool has_ctf(const std::filesystem::path& folder);

/// Lets babeltrace2 print the folder, and `take` what it prints. Returns what babeltrace2 says of it beside that, line by line. Throws
/// `io::InputError` where it is not installed, cannot read all of the folder, or is caught in it; and what `take` throws.
[[nodiscard]] std::vector<std::string> print_ctf(const std::filesystem::path& folder, const Progress& progress,
                                                 const std::function<void(Bytes& bytes)>& take);

}  // namespace rta::convert
