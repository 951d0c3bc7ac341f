// The Vega specification of a timeline.
#pragma once

#include <string>

#include "timeline_drawing.hpp"

namespace rta::report {

[[nodiscard]] std::string timeline_specification(const TimelineDrawing& drawing);

}  // namespace rta::report
