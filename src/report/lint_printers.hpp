// What the linter found, and the rules that it knows.
#pragma once

#include <iosfwd>

#include "rta/report/lint_report.hpp"

namespace rta::report {

void print_lint_text(const LintReport& report, std::ostream& out);
void print_lint_json(const LintReport& report, std::ostream& out);
/// SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format).
void print_lint_sarif(const LintReport& report, std::ostream& out);

void print_lint_rules_text(const LintRules& rules, std::ostream& out);
void print_lint_rules_json(const LintRules& rules, std::ostream& out);

}  // namespace rta::report
