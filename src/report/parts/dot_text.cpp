#include "dot_text.hpp"

#include "direction_marks.hpp"

namespace rta::report {
namespace {

std::string escaped_dot(std::string_view text) {
  std::string out;
  for (const char c : with_visible_marks(text)) {
    if (c == '&') {
      out += "&amp;";
    } else {
      if (c == '"' || c == '\\') out.push_back('\\');
      out.push_back(c);
    }
  }
  return out;
}

}  // namespace

std::string dot_quoted(std::string_view text) { return '"' + escaped_dot(text) + '"'; }

std::string dot_label(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += (out.empty() ? "" : "\\n") + escaped_dot(line);
  return '"' + out + '"';
}

}  // namespace rta::report
