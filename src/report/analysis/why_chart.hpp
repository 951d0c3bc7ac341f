// Bounds taken apart, drawn.
#pragma once

#include <optional>

#include "report/parts/page.hpp"
#include "rta/analysis/analyze.hpp"

namespace rta::report {

/// A bar per bound that was taken apart, the latest first: its execution, and its waiting by cause; a line where the deadline is. Nothing
/// where none was taken apart.
[[nodiscard]] std::optional<Chart> why_chart(const analysis::Analysis& analysis);

}  // namespace rta::report
