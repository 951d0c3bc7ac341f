// One printer for each output format of a sweep's results.
#pragma once

#include <iosfwd>

#include "report/parts/page.hpp"
#include "rta/sweep/results.hpp"

namespace rta::report {

/// Acceptance ratio and spread of the bounds, a line for each point and analysis.
void print_sweep_text(const sweep::Results& results, std::ostream& out);
/// summary.csv, as it is. Throws std::system_error when it cannot be read.
void print_sweep_csv(const sweep::Results& results, std::ostream& out);
/// All charts that the sweep's parameters allow.
void print_sweep_page(const sweep::Results& results, std::ostream& out);

[[nodiscard]] Page sweep_page(const sweep::Results& results);

}  // namespace rta::report
