// Releases and deadlines of DAGs in a timeline.
#pragma once

#include <span>

#include "timeline_drawing.hpp"

namespace rta::report {

/// Adds a mark for each within the drawing's span. `tops`: of the DAGs' rows; DAGs beyond them have none.
void add_releases(const trace::Timeline& timeline, std::span<const double> tops, TimelineDrawing& out);

}  // namespace rta::report
