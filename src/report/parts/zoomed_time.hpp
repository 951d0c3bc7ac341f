// A time axis that zooms and moves, for Vega specifications.
#pragma once

#include <nlohmann/json.hpp>

namespace rta::report {

/// Adds the signals of a chart whose scale `x` has the domain signal `domainX`, which shows first .. last (ms) at the start. The page's
/// script zooms and moves it.
void add_zoomed_time(nlohmann::ordered_json& specification, double first, double last);

}  // namespace rta::report
