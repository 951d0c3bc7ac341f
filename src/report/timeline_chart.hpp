// The Vega specification of a timeline.
#pragma once

#include <string>
#include <vector>

#include "report/parts/page.hpp"
#include "timeline_drawing.hpp"

namespace rta::report {

[[nodiscard]] std::string timeline_specification(const TimelineDrawing& drawing);

/// The timeline on a page, `before` its caption; where SMs share a row, a button shows each.
[[nodiscard]] Chart chart_of_timeline(std::string title, const std::string& before, const trace::Timeline& timeline,
                                      const std::vector<trace::Waiting>& waiting);

}  // namespace rta::report
