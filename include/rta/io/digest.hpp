// What ties a trace to its task set: the SHA-256 of the task-set file.
#pragma once

#include <string>
#include <string_view>

namespace rta::io {

/// SHA-256 of the bytes, as 64 hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);

}  // namespace rta::io
