// Output formats, and what each of them prints. A format is one row of the table in src/report/parts/format.cpp, a row beside each report
// that has it, and files of its own.
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
struct Optimization;
struct ScheduleReport;
struct SimulationReport;
struct StaticComparisonReport;
struct VariantsReport;

struct Format {
  std::string_view name;       // of --format
  std::string_view extension;  // of its files, without the dot
  bool charts = false;         // it draws, where there is something to draw
};

/// All of them; the first is the one for people at a terminal.
[[nodiscard]] std::span<const Format> formats();
/// The format of that exact name, or null.
[[nodiscard]] const Format* format_named(std::string_view name);

/// Writes a report. It computes nothing.
template <class Report>
using Print = void (*)(const Report& report, std::ostream& out);

/// What prints a report in one format.
template <class Report>
struct Printer {
  std::string_view format;
  Print<Report> print;
};

/// The formats that such a report has. Each report says it in a file of its own, so that a program which prints some of them needs no
/// others.
template <class Report>
[[nodiscard]] std::span<const Printer<Report>> printers();
template <>
std::span<const Printer<AnalysisReport>> printers();
template <>
std::span<const Printer<ComparisonReport>> printers();
template <>
std::span<const Printer<SimulationReport>> printers();
template <>
std::span<const Printer<ExaminationReport>> printers();
template <>
std::span<const Printer<std::vector<validation::Finding>>> printers();
template <>
std::span<const Printer<sweep::Results>> printers();
template <>
std::span<const Printer<LintReport>> printers();
template <>
std::span<const Printer<Optimization>> printers();
template <>
std::span<const Printer<std::span<const lint::Rule>>> printers();
template <>
std::span<const Printer<ScheduleReport>> printers();
template <>
std::span<const Printer<StaticComparisonReport>> printers();
template <>
std::span<const Printer<DifferenceReport>> printers();
template <>
std::span<const Printer<VariantsReport>> printers();

/// What prints such a report in that format, or null.
template <class Report>
[[nodiscard]] Print<Report> printer_of(const Format& format) {
  for (const Printer<Report>& one : printers<Report>()) {
    if (one.format == format.name) return one.print;
  }
  return nullptr;
}

}  // namespace rta::report
