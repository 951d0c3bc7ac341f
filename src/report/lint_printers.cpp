#include "lint_printers.hpp"

#include <array>

#include "rta/report/format.hpp"

namespace rta::report {

template <>
std::span<const Printer<LintReport>> printers() {
  static constexpr auto all =
      std::to_array<Printer<LintReport>>({{"text", print_lint_text}, {"json", print_lint_json}, {"sarif", print_lint_sarif}});
  return all;
}

template <>
std::span<const Printer<std::span<const lint::Rule>>> printers() {
  static constexpr auto all =
      std::to_array<Printer<std::span<const lint::Rule>>>({{"text", print_lint_rules_text}, {"json", print_lint_rules_json}});
  return all;
}

}  // namespace rta::report
