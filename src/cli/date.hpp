// Dates in files.
#pragma once

#include <string>

namespace rta::cli {

/// `2026-11-22`, in UTC; the day of SOURCE_DATE_EPOCH where that is set. Throws `UserError` when it is no date.
[[nodiscard]] std::string today();

}  // namespace rta::cli
