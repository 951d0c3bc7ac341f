// What the linter found, as text, as JSON, and as SARIF 2.1.0 for editors and continuous integration. Nothing is computed here.
#pragma once

#include <iosfwd>
#include <string_view>

#include "rta/lint/lint.hpp"

namespace rta::report {

struct LintReport {
  const lint::Report& report;
  lint::Level least = lint::Level::note;  // findings below it are left out
  bool allowed = false;                   // text: those that are allowed, too
  bool colour = false;                    // text: levels in colour
};

/// `format`: text, json or sarif.
void print_lint(const LintReport& report, std::string_view format, std::ostream& out);

/// The table of rules. `format`: text or json.
void print_lint_rules(std::string_view format, std::ostream& out);

}  // namespace rta::report
