#pragma once

#include <optional>
#include <string>

#include "rta/model/quantity.hpp"

namespace rta::report {

/// Bound / observed, rounded down to hundredths: a ratio below 1 never shows as 1. Empty where one is missing or nothing took any time.
[[nodiscard]] std::string ratio_text(const std::optional<Time>& bound, const std::optional<Time>& seen);

}  // namespace rta::report
