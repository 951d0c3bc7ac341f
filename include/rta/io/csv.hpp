// Comma-separated values (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace rta::io {

/// The text as one field: quoted only where needed, quotes doubled.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace rta::io
