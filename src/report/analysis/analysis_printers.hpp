// One printer for each output format of an analysis.
#pragma once

#include <iosfwd>
#include <optional>
#include <utility>

#include "rta/report/analysis_report.hpp"

namespace rta::report {

void print_analysis_text(const AnalysisReport& report, std::ostream& out);
void print_analysis_json(const AnalysisReport& report, std::ostream& out);
void print_analysis_csv(const AnalysisReport& report, std::ostream& out);
void print_analysis_markdown(const AnalysisReport& report, std::ostream& out);
void print_analysis_junit(const AnalysisReport& report, std::ostream& out);
void print_analysis_page(const AnalysisReport& report, std::ostream& out);

class TextPrinter {
 public:
  explicit TextPrinter(TextStyle style) : style_(style) {}
  void print(const analysis::Analysis& analysis, std::ostream& out) const;

 private:
  TextStyle style_;
};

class JsonPrinter {
 public:
  explicit JsonPrinter(std::optional<Certification> certificate) : certificate_(std::move(certificate)) {}
  void print(const analysis::Analysis& analysis, std::ostream& out) const;

 private:
  std::optional<Certification> certificate_;
};

class CsvPrinter {
 public:
  void print(const analysis::Analysis& analysis, std::ostream& out) const;
};

}  // namespace rta::report
