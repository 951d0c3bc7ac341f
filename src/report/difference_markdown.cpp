#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "difference_printers.hpp"
#include "difference_rows.hpp"
#include "report/parts/markdown_text.hpp"

namespace rta::report {

void print_difference_markdown(const DifferenceReport& report, std::ostream& out) {
  out << fmt::format("# {}\n\n", markdown_text(difference_summary(report.difference)));
  for (const auto& [when, result] : {std::pair("before", &report.before), std::pair("after", &report.after)}) {
    out << fmt::format("- {}: {}, {}, {}\n", when, markdown_text(result->file), markdown_text(result->task_set),
                       markdown_text(result->verdict));
  }
  for (const DifferenceSection& section : difference_sections(report)) {
    out << fmt::format("\n## {}\n\n", section.title) << markdown_table(difference_table(section), 2);
  }
}

}  // namespace rta::report
