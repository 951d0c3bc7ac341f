// A time axis that zooms and moves, for Vega specifications.
#pragma once

#include <nlohmann/json.hpp>

namespace rta::report {

/// Adds the signals of a chart whose scale `x` has the domain signal `domainX`, which shows first .. last (ms) at the start: the wheel
/// zooms, dragging moves, a double click shows all.
void add_zoomed_time(nlohmann::ordered_json& specification, double first, double last);

}  // namespace rta::report
