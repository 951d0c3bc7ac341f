// The shell of every HTML page: one self-contained file, charts as Vega specifications, no network.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace rta::report {

/// A chart: a Vega 5 specification as JSON text, with its data inlined. Its width follows the page when it has a `width` signal.
struct Chart {
  std::string title;
  std::string caption;
  std::string specification;
};

/// Rows of cells; the first row is the header. Numbers are aligned right.
struct PageTable {
  std::string title;
  std::vector<std::vector<std::string>> rows;
};

struct Paragraph {
  std::string text;
};

struct Page {
  std::string title;
  std::string summary;                                     // one sentence below the title
  std::vector<std::pair<std::string, std::string>> facts;  // name, value
  std::vector<std::variant<Paragraph, PageTable, Chart>> content;
};

/// The page as HTML. All text is escaped; specifications are embedded as data.
[[nodiscard]] std::string html(const Page& page);

}  // namespace rta::report
