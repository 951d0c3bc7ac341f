#include "shown.hpp"

#include <array>
#include <cstddef>
#include <cstdio>

namespace checker {
namespace {

struct Character {
  unsigned long point = 0;
  std::size_t length = 0;  // 0: no UTF-8
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned long>(static_cast<unsigned char>(text[i])); };
  const unsigned long first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return {};
  unsigned long point = first & (0x7FUL >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    point = point << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::array<unsigned long, 5> least{0, 0, 0x80, 0x800, 0x10000};
  if (point < least[length] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return {};
  return {point, length};
}

bool commands(unsigned long point) {
  return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x061C || point == 0x200E || point == 0x200F ||
         (point >= 0x2028 && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
}

std::string numbered(const char* format, unsigned long number) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), format, number);
  return text.data();
}

}  // namespace

std::string shown(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::size_t length = character.length > 0 ? character.length : 1;
    if (character.length == 0) {
      out += numbered("\\x%02lx", static_cast<unsigned char>(text.front()));
    } else if (commands(character.point)) {
      out += numbered("\\u%04lx", character.point);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace checker
