// One line of a trace: a JSON object, member by member.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace record {

/// Bytes of the sequence that begins at `at` and is valid UTF-8; 0: none does.
inline std::size_t sequence_length(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first <= 0xDF   ? 2
                             : first >= 0xE0 && first <= 0xEF ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80) return 0;
  }
  const unsigned second = byte(at + 1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool no_character = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return overlong || no_character ? 0 : length;
}

/// A string with these characters; what is no UTF-8 becomes U+FFFD.
inline std::string json_string(const std::string& text) {
  constexpr const char* digits = "0123456789abcdef";
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text, i);
    const auto byte = static_cast<unsigned char>(text[i]);
    if (length == 0) {
      out += "\xEF\xBF\xBD";
    } else if (byte == '"' || byte == '\\') {
      out += {'\\', text[i]};
    } else if (byte < 0x20) {
      out += {'\\', 'u', '0', '0', digits[byte >> 4U], digits[byte & 0xFU]};
    } else {
      out.append(text, i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return out + "\"";
}

class JsonLine {
 public:
  explicit JsonLine(const char* kind) : text_("{\"t\": \"" + std::string(kind) + "\"") {}

  JsonLine& add(const char* key, const std::string& text) { return raw(key, json_string(text)); }
  JsonLine& add(const char* key, const char* text) { return raw(key, json_string(text == nullptr ? "" : text)); }
  JsonLine& add(const char* key, std::uint64_t number) { return raw(key, std::to_string(number)); }
  JsonLine& add(const char* key, std::uint32_t number) { return raw(key, std::to_string(number)); }
  JsonLine& add(const char* key, std::int64_t number) { return raw(key, std::to_string(number)); }
  JsonLine& add(const char* key, std::int32_t number) { return raw(key, std::to_string(number)); }
  JsonLine& add(const char* key, bool value) { return raw(key, value ? "true" : "false"); }
  JsonLine& add(const char* key, const std::array<std::uint32_t, 3>& v) {
    return raw(key, "[" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + "]");
  }
  [[nodiscard]] std::string text() const { return text_ + "}\n"; }

 private:
  JsonLine& raw(const char* key, const std::string& value) {
    text_ += ", \"" + std::string(key) + "\": " + value;
    return *this;
  }
  std::string text_;
};

}  // namespace record
