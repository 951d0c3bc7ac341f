#include <fmt/format.h>

#include <ostream>

#include "difference_printers.hpp"
#include "difference_rows.hpp"
#include "io/shown_text.hpp"

namespace rta::report {
namespace {

constexpr std::size_t widest_cell = 48;

/// What is too long for the table stands below it, on lines of its own.
void print_section(const DifferenceSection& section, std::ostream& out) {
  std::vector<Row> rows;
  std::vector<std::string> lines;
  std::string_view last;
  for (const DifferenceRow& row : section.rows) {
    if (row.key.empty()) {
      lines.push_back("  " + row.part);
    } else if (row.before.size() > widest_cell || row.after.size() > widest_cell) {
      lines.push_back(
          fmt::format("  {}{}{}\n    before  {}\n    after   {}", row.part, row.part.empty() ? "" : ": ", row.key, row.before, row.after));
    } else {
      rows.push_back({row.part == last ? std::string() : row.part, row.key, row.before, row.after, row.growth, row.mark});
      last = row.part;
    }
  }
  out << '\n' << section.title << '\n';
  if (!rows.empty()) {
    rows.insert(rows.begin(), Row{"", "", "before", "after", "change"});
    print_table(out, rows, 2);
  }
  for (const std::string& line : lines) out << line << '\n';
}

void print_side(const char* when, const diff::Result& result, std::ostream& out) {
  out << fmt::format("  {:<7} {}: {}, {}\n", when, result.file, result.task_set, result.verdict);
}

}  // namespace

void print_difference_text(const DifferenceReport& report, std::ostream& out) {
  const std::string line = difference_summary(report.difference);
  out << io::Coloured{line, report.difference.worse() ? "1;31" : "1;32", report.colour} << "\n";
  print_side("before", report.before, out);
  print_side("after", report.after, out);
  for (const DifferenceSection& section : difference_sections(report)) print_section(section, out);
}

}  // namespace rta::report
