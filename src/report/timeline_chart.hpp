// The Vega specification of a timeline.
#pragma once

#include <string>

#include "rta/trace/timeline.hpp"

namespace rta::report {

/// Rows for SMs, engines, processors and workers, and one for releases; as high as the number of rows needs.
[[nodiscard]] std::string timeline_specification(const trace::Timeline& timeline);

}  // namespace rta::report
