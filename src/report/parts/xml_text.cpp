#include "xml_text.hpp"

#include "direction_marks.hpp"
#include "html_text.hpp"

namespace rta::report {

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : with_visible_marks(text)) {
    const bool allowed = static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t';
    out += allowed ? std::string_view(&c, 1) : std::string_view("\uFFFD");
  }
  return escaped(out);
}

}  // namespace rta::report
