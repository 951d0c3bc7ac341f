// The formats of a static comparison, and the tables that they share.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "report/parts/text_table.hpp"
#include "rta/report/static_comparison_report.hpp"

namespace rta::report {

void print_static_comparison_text(const StaticComparisonReport& report, std::ostream& out);
void print_static_comparison_json(const StaticComparisonReport& report, std::ostream& out);
void print_static_comparison_csv(const StaticComparisonReport& report, std::ostream& out);
void print_static_comparison_page(const StaticComparisonReport& report, std::ostream& out);

/// Rows of hyperepochs, runnables and resources, each with a head.
[[nodiscard]] std::vector<Row> played_hyperepoch_rows(const StaticComparisonReport& report, const compare::StaticComparison& comparison);
[[nodiscard]] std::vector<Row> played_runnable_rows(const compare::StaticComparison& comparison);
[[nodiscard]] std::vector<Row> played_resource_rows(const StaticComparisonReport& report, const compare::StaticComparison& comparison);
/// `camera.frames/GpuX.kernel`.
[[nodiscard]] std::string played_name(const compare::PlayedRunnable& runnable);
/// `GpuX.kernel in camera.frames, job 4: ended 110 us after ..., proven 20 us, wake-ups 3 us`.
[[nodiscard]] std::string late_text(const compare::LateJob& job);

}  // namespace rta::report
