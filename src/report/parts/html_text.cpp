#include "html_text.hpp"

#include "direction_marks.hpp"

namespace rta::report {

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : with_visible_marks(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out.push_back(c);
    }
  }
  return out;
}

std::string fact_list(std::span<const std::pair<std::string, std::string>> facts) {
  if (facts.empty()) return "";
  std::string out = "<dl>";
  for (const auto& [name, value] : facts) out += "<dt>" + escaped(name) + "</dt><dd>" + escaped(value) + "</dd>";
  return out + "</dl>\n";
}

}  // namespace rta::report
