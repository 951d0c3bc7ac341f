#include "text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "io/shown_text.hpp"

namespace rta::report {

void print_table(std::ostream& out, const std::vector<Row>& given, std::size_t left_columns, std::size_t indent) {
  std::vector<Row> rows = given;
  for (Row& row : rows) {
    for (std::string& cell : row) cell = io::shown_in_line(cell);
  }
  std::vector<std::size_t> width;
  for (const Row& row : rows) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  for (const Row& row : rows) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool last = c + 1 == row.size();
      if (c < left_columns) {
        line += last ? row[c] : fmt::format("{:<{}}  ", row[c], width[c]);
      } else {
        line += fmt::format("{:>{}}{}", row[c], width[c], last ? "" : "  ");
      }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

}  // namespace rta::report
