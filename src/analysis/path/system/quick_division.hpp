// Division of 128 bits where it mostly is one of 64.
#pragma once

#include <cstdint>

#include "rta/model/quantity.hpp"

namespace rta::analysis::path {

/// ceil_div(a, b); b > 0.
[[nodiscard]] inline Wide quick_ceil_div(Wide a, std::int64_t b) {
  const auto narrow = static_cast<std::int64_t>(a);
  if (narrow != a || narrow < 0) return ceil_div(a, Wide{b});
  return narrow / b + static_cast<std::int64_t>(narrow % b != 0);
}

}  // namespace rta::analysis::path
