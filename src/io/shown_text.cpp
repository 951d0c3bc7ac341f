#include "shown_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "utf8.hpp"

namespace rta::io {
namespace {

constexpr std::size_t longest_character = 4;

bool stands_as_it_is(char c) { return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t'; }

void append_shown(std::string& out, std::string_view character) {
  const char32_t value = code_point(character);
  if (!commands_a_terminal(value) || character == "\n" || character == "\t") {
    out += character;
  } else {
    out += fmt::format("\\u{:04x}", static_cast<unsigned>(value));
  }
}

/// Whether the bytes may be the begin of a character whose end is yet to come.
bool may_go_on(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes.front());
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1;
  return bytes.size() < length &&
         std::ranges::all_of(bytes.substr(1), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; });
}

/// Appends what can be told; returns how many bytes at the end have to wait for more.
std::size_t append_shown_text(std::string& out, std::string_view text, bool whole) {
  for (std::size_t at = 0; at < text.size();) {
    const auto* const begin = text.begin() + static_cast<std::ptrdiff_t>(at);
    const auto plain = static_cast<std::size_t>(std::find_if_not(begin, text.end(), stands_as_it_is) - begin);
    out += text.substr(at, plain);
    at += plain;
    if (at == text.size()) break;
    const std::size_t length = character_length(text, at);
    if (length > 0) {
      append_shown(out, text.substr(at, length));
      at += length;
    } else if (!whole && text.size() - at < longest_character && may_go_on(text.substr(at))) {
      return text.size() - at;
    } else {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
      ++at;
    }
  }
  return 0;
}

}  // namespace

bool commands_a_terminal(char32_t character) {
  return character < 0x20 || (character >= 0x7F && character < 0xA0) || character == 0x061C || character == 0x200E || character == 0x200F ||
         (character >= 0x2028 && character <= 0x202E) || (character >= 0x2066 && character <= 0x2069);
}

std::string shown(std::string_view text) {
  std::string out;
  append_shown_text(out, text, true);
  return out;
}

std::string shown_in_line(std::string_view text) {
  std::string out;
  for (const char c : shown(text)) {
    if (c == '\n' || c == '\t') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out;
}

ShownText::~ShownText() { hand_on_rest(); }

void ShownText::send(std::string_view text) {
  hand_on_rest();
  if (auto* const shown = dynamic_cast<ShownText*>(to_)) {
    shown->send(text);
  } else {
    to_->sputn(text.data(), static_cast<std::streamsize>(text.size()));
  }
}

ShownText::int_type ShownText::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char one = traits_type::to_char_type(c);
  return put({&one, 1}) ? c : traits_type::eof();
}

std::streamsize ShownText::xsputn(const char* text, std::streamsize count) {
  return put({text, static_cast<std::size_t>(count)}) ? count : 0;
}

int ShownText::sync() {
  // A stream without a buffer is flushed after every word, so the begin of a character still waits.
  return to_->pubsync();
}

bool ShownText::put(std::string_view text) {
  if (rest_.empty() && std::ranges::all_of(text, stands_as_it_is))
    return to_->sputn(text.data(), static_cast<std::streamsize>(text.size())) == static_cast<std::streamsize>(text.size());
  const std::string joined = rest_ + std::string(text);
  std::string out;
  const std::size_t waiting = append_shown_text(out, joined, false);
  rest_ = joined.substr(joined.size() - waiting);
  return to_->sputn(out.data(), static_cast<std::streamsize>(out.size())) == static_cast<std::streamsize>(out.size());
}

bool ShownText::hand_on_rest() {
  const std::string out = shown(rest_);
  rest_.clear();
  return to_->sputn(out.data(), static_cast<std::streamsize>(out.size())) == static_cast<std::streamsize>(out.size());
}

std::ostream& operator<<(std::ostream& out, Sent sent) {
  if (auto* const buffer = dynamic_cast<ShownText*>(out.rdbuf())) {
    buffer->send(sent.text);
    return out;
  }
  return out << sent.text;
}

std::ostream& operator<<(std::ostream& out, const Coloured& coloured) {
  if (!coloured.wanted) return out << coloured.text;
  return out << Sent{fmt::format("\x1b[{}m", coloured.colour)} << coloured.text << Sent{"\x1b[0m"};
}

}  // namespace rta::io
