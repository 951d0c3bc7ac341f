#include "text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace rta::report {

void print_table(std::ostream& out, std::span<const TextRow> rows, std::size_t left_columns) {
  std::vector<std::size_t> width;
  for (const TextRow& row : rows) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  for (const TextRow& row : rows) {
    std::string line = "  ";
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line += "  ";
      line += c < left_columns ? fmt::format("{:<{}}", row[c], width[c]) : fmt::format("{:>{}}", row[c], width[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

}  // namespace rta::report
