// One printer for each output format of a comparison, and the cells that they share.
#pragma once

#include <iosfwd>
#include <string>

#include "rta/compare/comparison.hpp"
#include "rta/report/comparison_report.hpp"

namespace rta::report {

/// `dag` or `dag/node`.
[[nodiscard]] std::string row_name(const TaskSet& task_set, const compare::Responses& row);
/// That its times need.
[[nodiscard]] int digits_of(const compare::Responses& row);
/// Bound over maximum, e.g. `4.31`; empty without a bound or a job, or when the maximum is 0.
[[nodiscard]] std::string bound_over_max(const compare::Responses& row);
/// A value of the header's details; empty when it is not there.
[[nodiscard]] std::string detail(const trace::Header& header, std::string_view key);

void print_comparison_text(const ComparisonReport& report, std::ostream& out);
void print_comparison_json(const ComparisonReport& report, std::ostream& out);
void print_comparison_csv(const ComparisonReport& report, std::ostream& out);
void print_comparison_page(const ComparisonReport& report, std::ostream& out);
/// The timeline of the only trace, as SVG. Requires that it has one.
void print_comparison_figure(const ComparisonReport& report, std::ostream& out);

}  // namespace rta::report
