// What a sweep's results say: acceptance ratios, distributions, ratios between analyses, weighted schedulability.
#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>

#include "rta/model/histogram.hpp"
#include "rta/sweep/plan.hpp"

namespace rta::sweep {

/// Wilson's 95 % interval for `successes` of `trials`. Requires trials > 0.
[[nodiscard]] std::pair<double, double> wilson_interval(std::uint64_t successes, std::uint64_t trials);

/// Of bounds in ns and ratios in millionths; a quantile is at most 1/512 above the exact one.
using Distribution = Histogram<9>;

/// Writes `points.csv`, `summary.csv`, `ratios.csv` and `weighted.csv` beside the folder's finished results.csv. Reads the results once, in
/// order; memory does not depend on the number of sets. Throws `UserError` when results.csv is damaged, std::system_error when a
/// file cannot be written.
void write_summaries(const Plan& plan, const std::filesystem::path& folder);

}  // namespace rta::sweep
