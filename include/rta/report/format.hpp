// Output formats, and what each of them prints. A format is one row of the table in src/report/format.cpp and files of its own.
#pragma once

#include <iosfwd>
#include <span>
#include <string_view>
#include <vector>

namespace rta::lint {
struct Rule;
}
namespace rta::sweep {
struct Results;
}
namespace rta::validation {
struct Finding;
}

namespace rta::report {

struct AnalysisReport;
struct ComparisonReport;
struct DifferenceReport;
struct ExaminationReport;
struct LintReport;
struct ScheduleReport;
struct SimulationReport;
struct StaticComparisonReport;

/// Writes a report. It computes nothing.
template <class Report>
using Print = void (*)(const Report& report, std::ostream& out);

/// One format. Null where it does not print such a report.
struct Format {
  std::string_view name;       // of --format
  std::string_view extension;  // of its files, without the dot
  bool charts = false;         // it draws, where there is something to draw
  Print<AnalysisReport> analysis = nullptr;
  Print<ComparisonReport> comparison = nullptr;
  Print<SimulationReport> simulation = nullptr;
  Print<ExaminationReport> examination = nullptr;
  Print<std::vector<validation::Finding>> findings = nullptr;
  Print<sweep::Results> sweep = nullptr;
  Print<LintReport> lint = nullptr;
  Print<std::span<const lint::Rule>> lint_rules = nullptr;
  Print<ScheduleReport> schedule = nullptr;
  Print<StaticComparisonReport> static_comparison = nullptr;
  Print<DifferenceReport> difference = nullptr;
};

/// All of them; the first is the one for people at a terminal.
[[nodiscard]] std::span<const Format> formats();
/// The format of that exact name, or null.
[[nodiscard]] const Format* format_named(std::string_view name);

}  // namespace rta::report
