#include "markdown_words.hpp"

#include <algorithm>
#include <cstddef>

namespace rta::cli {

namespace {

/// Whether `[text](target)` stands there.
bool is_link(std::string_view markdown) {
  const std::size_t end = markdown.find(']');
  return end != std::string_view::npos && markdown.substr(end).starts_with("](");
}

}  // namespace

std::string plain(std::string_view markdown) {
  std::string text;
  bool code = false;
  for (std::size_t at = 0; at < markdown.size(); ++at) {
    const char c = markdown[at];
    if (c == '`') {
      code = !code;
    } else if (code) {
      text += c;
    } else if (c == ']' && markdown.substr(at).starts_with("](")) {
      at = std::min(markdown.find(')', at), markdown.size());
    } else if (c != '*' && !(c == '[' && is_link(markdown.substr(at)))) {
      text += c;
    }
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
