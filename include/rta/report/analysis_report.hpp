// An analysis as text for people, as JSON, as CSV and as a page. Nothing is computed here.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string_view>

#include "rta/analysis/analyze.hpp"

namespace rta::report {

enum class Format : std::uint8_t { text, json, csv, html };
/// `text`, `json`, `csv` or `html`; nothing for other names.
[[nodiscard]] std::optional<Format> format_named(std::string_view name);

struct TextStyle {
  bool verbose = false;  // every node
  bool colour = false;   // ANSI colours for the verdict
};

/// One output format of an analysis.
class AnalysisPrinter {
 public:
  AnalysisPrinter() = default;
  AnalysisPrinter(const AnalysisPrinter&) = delete;
  AnalysisPrinter& operator=(const AnalysisPrinter&) = delete;
  virtual ~AnalysisPrinter() = default;
  virtual void print(const analysis::Analysis& analysis, std::ostream& out) const = 0;
};

[[nodiscard]] std::unique_ptr<AnalysisPrinter> analysis_printer(Format format, TextStyle style);

}  // namespace rta::report
