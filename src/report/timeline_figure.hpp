// A timeline as a figure for a slide or a paper.
#pragma once

#include <string>

#include "timeline_drawing.hpp"

namespace rta::report {

/// SVG on white, 1000 pixels wide. Texts are where they fit; every name is escaped, and marks that change the direction of text are written
/// as code points.
[[nodiscard]] std::string timeline_svg(const TimelineDrawing& drawing, const std::string& title);

}  // namespace rta::report
