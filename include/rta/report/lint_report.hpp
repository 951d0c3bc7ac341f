// What the linter found. Printed by the formats that have `lint` (see format.hpp), among them SARIF for editors and continuous integration.
#pragma once

#include <span>

#include "rta/lint/lint.hpp"
#include "rta/lint/rules.hpp"

namespace rta::report {

struct LintReport {
  const lint::Report& report;
  lint::Level least = lint::Level::note;  // findings below it are left out
  bool allowed = false;                   // text: those that are allowed, too
  bool colour = false;                    // text: levels in colour
};

/// The table of rules.
using LintRules = std::span<const lint::Rule>;

}  // namespace rta::report
