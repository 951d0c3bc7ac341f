// Jobs above their bounds, grouped by cause, and what to do next.
#pragma once

#include <string>
#include <vector>

#include "report/parts/text_table.hpp"
#include "rta/report/comparison_report.hpp"

namespace rta::report {

/// A row per cause; nothing but the head where no job is late.
[[nodiscard]] std::vector<Row> late_rows(const ComparisonReport& report, const compare::Comparison& c);
/// What the machine adds to nodes, a sentence per pool, whether it is quiet, and the commands that put it into C and L.
[[nodiscard]] std::vector<std::string> overhead_lines(const ComparisonReport& report, const compare::Comparison& c);

}  // namespace rta::report
