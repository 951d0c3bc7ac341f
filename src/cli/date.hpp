// Dates in files.
#pragma once

#include <string>

namespace rta::cli {

/// `2026-11-22`, in UTC.
[[nodiscard]] std::string today();

}  // namespace rta::cli
