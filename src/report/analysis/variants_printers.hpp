// One printer for each output format of task sets side by side.
#pragma once

#include <iosfwd>

#include "rta/report/variants_report.hpp"

namespace rta::report {

void print_variants_text(const VariantsReport& report, std::ostream& out);
void print_variants_json(const VariantsReport& report, std::ostream& out);
void print_variants_csv(const VariantsReport& report, std::ostream& out);

}  // namespace rta::report
