// One printer for each output format of what changed between two results.
#pragma once

#include <iosfwd>

#include "rta/report/difference_report.hpp"

namespace rta::report {

void print_difference_text(const DifferenceReport& report, std::ostream& out);
void print_difference_json(const DifferenceReport& report, std::ostream& out);
void print_difference_markdown(const DifferenceReport& report, std::ostream& out);
void print_difference_page(const DifferenceReport& report, std::ostream& out);
void print_difference_csv(const DifferenceReport& report, std::ostream& out);

}  // namespace rta::report
