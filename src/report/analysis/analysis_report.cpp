#include "rta/report/analysis_report.hpp"

#include <ostream>

#include "analysis_printers.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {

void print_analysis_text(const AnalysisReport& report, std::ostream& out) {
  TextPrinter(report.style).print(report.analysis, out);
  if (!report.certificate) return;
  const auto& uncertified = report.certificate->uncertified;
  out << "\nCertificate: " << report.certificate->file << (uncertified.empty() ? "\n" : "; uncertified bounds:\n");
  for (const std::string& bound : uncertified) out << "  " << bound << '\n';
}
// Sentences in files for programs are as they are, whatever people are shown.
void print_analysis_json(const AnalysisReport& report, std::ostream& out) {
  const ShownTimes shown_times(TimeStyle{.unit = std::nullopt, .all_digits = true});
  JsonPrinter(report.certificate).print(report.analysis, out);
}
void print_analysis_csv(const AnalysisReport& report, std::ostream& out) {
  const ShownTimes shown_times(TimeStyle{.unit = std::nullopt, .all_digits = true});
  CsvPrinter().print(report.analysis, out);
}

}  // namespace rta::report
