// Times and numbers as people write them.
#pragma once

#include <string>

#include "rta/model/quantity.hpp"

namespace rta::report {

/// In ms with six digits cut to those that matter, e.g. `33 ms`, `179.612345 ms`, `450 ns`; exact: no digit is dropped.
[[nodiscard]] std::string time_text(Time time);

/// A double with up to `digits` digits after the point, without trailing zeros.
[[nodiscard]] std::string number_text(double value, int digits);

}  // namespace rta::report
