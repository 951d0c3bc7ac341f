// Findings as SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format).
#pragma once

#include <iosfwd>

#include "rta/report/lint_report.hpp"

namespace rta::report {

void print_lint_sarif(const LintReport& report, std::ostream& out);

}  // namespace rta::report
