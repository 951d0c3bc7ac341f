// The formats behind `analysis_printer`.
#pragma once

#include "rta/report/analysis_report.hpp"

namespace rta::report {

class TextPrinter final : public AnalysisPrinter {
 public:
  explicit TextPrinter(TextStyle style) : style_(style) {}
  void print(const analysis::Analysis& analysis, std::ostream& out) const override;

 private:
  TextStyle style_;
};

class JsonPrinter final : public AnalysisPrinter {
 public:
  void print(const analysis::Analysis& analysis, std::ostream& out) const override;
};

class HtmlPrinter final : public AnalysisPrinter {
 public:
  void print(const analysis::Analysis& analysis, std::ostream& out) const override;
};

class CsvPrinter final : public AnalysisPrinter {
 public:
  void print(const analysis::Analysis& analysis, std::ostream& out) const override;
};

}  // namespace rta::report
