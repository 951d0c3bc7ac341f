#include "json_stream.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "notes.hpp"

namespace rta::convert {

JsonStream::JsonStream(Bytes& bytes) : bytes_(bytes) { ready_.reserve(read_.size() * 2); }

JsonStream::Place JsonStream::place() const {
  for (; counted_to_ != gptr(); ++counted_to_) {
    if (*counted_to_ == '\n') {
      counted_ = {counted_.line + 1, 1};
    } else {
      ++counted_.column;
    }
  }
  return counted_;
}

JsonStream::int_type JsonStream::underflow() {
  (void)place();
  ready_.clear();
  counted_to_ = nullptr;
  setg(nullptr, nullptr, nullptr);
  while (ready_.empty()) {
    const std::size_t count = bytes_.read(read_.data(), read_.size());
    if (count == 0) finish();
    for (std::size_t i = 0; i < count; ++i) take(read_[i]);
    if (count == 0) break;
  }
  if (ready_.empty()) return traits_type::eof();
  setg(ready_.data(), ready_.data(), ready_.data() + ready_.size());
  counted_to_ = ready_.data();
  return traits_type::to_int_type(ready_.front());
}

void JsonStream::take(char c) {
  constexpr std::size_t longest = 1U << 20U;
  constexpr std::string_view escapes = "\"\\/bfnrt";
  switch (state_) {
    case State::outside:
      if (c == '"') state_ = State::text;
      // Only numbers and words grow outside of texts; white space and structure end them.
      length_ = c == '"' || c == ',' || c == ':' || c == '[' || c == ']' || c == '{' || c == '}' || c == ' ' || c == '\n' || c == '\t' ||
                        c == '\r'
                    ? 0
                    : length_ + 1;
      put(c);
      break;
    case State::text:
      ++length_;
      if (c == '\\') {
        state_ = State::escape;
        break;
      }
      if (c == '"') {
        state_ = State::outside;
        length_ = 0;
      }
      mended_ += static_cast<std::uint64_t>(static_cast<unsigned char>(c) < 0x20);
      put(static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
      break;
    case State::escape:
      put('\\');
      if (c == 'u') {
        state_ = State::unicode;
        digits_.clear();
        break;
      }
      state_ = State::text;
      if (escapes.find(c) == std::string_view::npos) {
        ++mended_;
        put('\\');
        take(c);
        break;
      }
      put(c);
      break;
    case State::unicode:
      if (std::isxdigit(static_cast<unsigned char>(c)) != 0) {
        digits_ += c;
        if (digits_.size() < 4) break;
        put('u');
        for (const char d : digits_) put(d);
        state_ = State::text;
        break;
      }
      ++mended_;
      put('\\');
      put('u');
      for (const char d : digits_) put(d);
      state_ = State::text;
      take(c);
      break;
  }
  if (length_ > longest) refuse(bytes_.name(), "a text or a number is longer than a megabyte", counted_.line, counted_.column);
}

// A file that ends within an escape: the JSON library says so of what there is.
void JsonStream::finish() {
  if (state_ == State::escape || state_ == State::unicode) put('\\');
  state_ = State::outside;
}

}  // namespace rta::convert
