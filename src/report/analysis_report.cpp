#include "rta/report/analysis_report.hpp"

#include "analysis_printers.hpp"

namespace rta::report {

std::optional<Format> format_named(std::string_view name) {
  if (name == "text") return Format::text;
  if (name == "json") return Format::json;
  if (name == "csv") return Format::csv;
  if (name == "html") return Format::html;
  return std::nullopt;
}

std::unique_ptr<AnalysisPrinter> analysis_printer(Format format, TextStyle style) {
  switch (format) {
    case Format::text: return std::make_unique<TextPrinter>(style);
    case Format::json: return std::make_unique<JsonPrinter>();
    case Format::csv: return std::make_unique<CsvPrinter>();
    case Format::html: return std::make_unique<HtmlPrinter>();
  }
  return nullptr;
}

}  // namespace rta::report
