#include "direction_marks.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace rta::report {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> direction_marks{{{"\xD8\x9C", "U+061C"},
                                                                                         {"\xE2\x80\x8E", "U+200E"},
                                                                                         {"\xE2\x80\x8F", "U+200F"},
                                                                                         {"\xE2\x80\xAA", "U+202A"},
                                                                                         {"\xE2\x80\xAB", "U+202B"},
                                                                                         {"\xE2\x80\xAC", "U+202C"},
                                                                                         {"\xE2\x80\xAD", "U+202D"},
                                                                                         {"\xE2\x80\xAE", "U+202E"},
                                                                                         {"\xE2\x81\xA6", "U+2066"},
                                                                                         {"\xE2\x81\xA7", "U+2067"},
                                                                                         {"\xE2\x81\xA8", "U+2068"},
                                                                                         {"\xE2\x81\xA9", "U+2069"}}};

}  // namespace

std::string with_visible_marks(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto* const mark = std::ranges::find_if(direction_marks, [&](const auto& one) { return text.starts_with(one.first); });
    if (mark != direction_marks.end()) {
      out += mark->second;
      text.remove_prefix(mark->first.size());
    } else {
      out.push_back(text.front());
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace rta::report
