#include "markdown_words.hpp"

#include <algorithm>
#include <cstddef>

namespace rta::cli {

std::string plain(std::string_view markdown) {
  std::string text;
  for (std::size_t at = 0; at < markdown.size(); ++at) {
    const char c = markdown[at];
    if (c == '*' || c == '`' || c == '[') continue;
    if (c == ']' && markdown.substr(at).starts_with("](")) {
      at = markdown.find(')', at);
      continue;
    }
    text += c;
  }
  return text;
}

std::vector<std::string> cells_of(std::string_view row) {
  std::vector<std::string> cells;
  while (row.starts_with("| ")) {
    row.remove_prefix(2);
    const std::size_t end = std::min(row.find(" |"), row.size());
    cells.push_back(plain(row.substr(0, end)));
    row.remove_prefix(std::min(end + 1, row.size()));
  }
  return cells;
}

}  // namespace rta::cli
