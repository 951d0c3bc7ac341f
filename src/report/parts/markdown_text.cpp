#include "markdown_text.hpp"

#include "io/shown_text.hpp"

namespace rta::report {

std::string markdown_text(std::string_view text) {
  constexpr std::string_view marks = "\\`*_{}[]<>#|~&!";
  std::string line(text);
  for (char& c : line) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  std::string out;
  for (const char c : io::shown_in_line(line)) {
    if (marks.find(c) != std::string_view::npos) out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

std::string markdown_table(const std::vector<Row>& rows, std::size_t left_columns) {
  std::string out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    out += "|";
    for (const std::string& cell : rows[r]) out += " " + markdown_text(cell) + " |";
    out += "\n";
    if (r > 0) continue;
    out += "|";
    for (std::size_t c = 0; c < rows[r].size(); ++c) out += c < left_columns ? "---|" : "---:|";
    out += "\n";
  }
  return out;
}

}  // namespace rta::report
