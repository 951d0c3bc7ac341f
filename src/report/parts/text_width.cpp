#include "text_width.hpp"

#include <algorithm>

namespace rta::report {
namespace {

bool begins(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

}  // namespace

std::size_t letters(std::string_view text) { return static_cast<std::size_t>(std::ranges::count_if(text, begins)); }

double text_width(std::string_view text, double size) { return 0.62 * size * static_cast<double>(letters(text)); }

std::string fitting_text(std::string_view text, double room, double size) {
  const auto most = static_cast<std::size_t>(std::max(1.0, room / text_width("x", size)));
  if (letters(text) <= most) return std::string(text);
  std::string out;
  std::size_t count = 0;
  for (const char c : text) {
    if (begins(c) && ++count >= most) break;
    out.push_back(c);
  }
  return out + "…";
}

}  // namespace rta::report
