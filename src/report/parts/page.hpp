// The shell of every HTML page: one self-contained file, charts as Vega specifications, no network.
#pragma once

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rta::report {

/// A chart: a Vega 5 specification as JSON text, with its data inlined. Its width follows the page when it has a `width` signal; buttons,
/// drag, keys and Ctrl with the wheel zoom it when it has those of add_zoomed_time. A colour `var(--NAME)` is the page style's. Where no
/// script runs, and on paper, it stands still (still_chart.hpp).
struct Chart {
  std::string title;
  std::string caption;
  std::string specification;
  /// The same at another depth, which a button puts in its place and back.
  struct Other {
    std::string show, back;  // words of the button
    std::string specification;
  };
  std::optional<Other> other = std::nullopt;
};

/// Rows of cells; the first row is the header. Columns of numbers are aligned right. A page shows the first `most_rows` and says how many
/// it leaves out.
struct PageTable {
  std::string title;
  std::vector<std::vector<std::string>> rows;
};

struct Paragraph {
  std::string text;
};

/// A picture as SVG, taken as it is: whoever made it has escaped what it shows.
struct Picture {
  std::string svg;
  std::string label = "picture";  // for who cannot see it
};

/// Bars one behind the other: each row's begins where the one above ends.
struct Waterfall {
  struct Row {
    std::string name, length;
    double from = 0, to = 0;  // of the whole width
    std::string_view colour;  // none: no bar
  };
  std::vector<Row> rows;
  std::optional<double> mark;  // a line through all rows, of the whole width
};

/// Under one title: a picture and a waterfall, beside each other where there is room.
struct Portrait {
  std::string title;
  std::string caption;
  std::vector<std::pair<std::string_view, std::string>> legend;  // colours and what they stand for
  std::optional<Picture> picture;
  std::optional<Waterfall> waterfall;
};

/// What each two of some things have to do with one another: a square of cells, rows and columns with the same names.
struct Matrix {
  struct Cell {
    std::string text;  // a letter or a number
    std::string tip;   // what it means
    bool marked = false;
  };
  std::string title;
  std::string caption;
  std::vector<std::pair<std::string_view, std::string>> legend;  // texts of cells and what they stand for
  std::vector<std::string> names;
  std::vector<Cell> cells;  // by rows
};

struct Badge {
  enum class Tone : std::uint8_t { good, bad, neutral };
  std::string text;
  Tone tone = Tone::neutral;
};

/// The result in another format, which a button of the page saves.
struct PageData {
  std::string file;  // its name
  std::string text;
};

struct Page {
  std::string title;
  std::string summary;                                     // one sentence below the title
  std::vector<std::pair<std::string, std::string>> facts;  // name, value
  std::vector<std::variant<Paragraph, PageTable, Chart, Picture, Portrait, Matrix>> content;
  std::optional<Badge> badge = std::nullopt;    // the verdict
  std::optional<PageData> data = std::nullopt;  // JSON or CSV
};

inline constexpr std::size_t most_rows = 2'000;      // of a table
inline constexpr std::size_t most_data = 1'500'000;  // bytes that a page carries

/// Gives the page its data; a sentence instead where they are more than `most_data`.
void embed(std::string file, std::string text, Page& page);
/// The same of a report in another format.
template <class Report>
void embed(std::string file, void (*print)(const Report&, std::ostream&), const Report& report, Page& page) {
  std::ostringstream text;
  print(report, text);
  embed(std::move(file), std::move(text).str(), page);
}

/// The page as HTML. All text is escaped; specifications are embedded as data.
[[nodiscard]] std::string html(const Page& page);

}  // namespace rta::report
