#include "source.hpp"

#include <algorithm>
#include <utility>

namespace rta::lint {

SourceFile::SourceFile(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)), lines_{0} {
  // A byte order mark is no character of the text.
  if (text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);
  for (std::uint32_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') lines_.push_back(i + 1);
  }
  tokens_ = tokens_of(text_);
}

std::uint32_t SourceFile::line(std::uint32_t offset) const {
  return static_cast<std::uint32_t>(std::ranges::upper_bound(lines_, offset) - lines_.begin() - 1);
}

Place SourceFile::place(std::uint32_t offset) const {
  const std::uint32_t number = line(offset);
  const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  const auto first = text_.begin() + lines_[number];
  const auto before = std::count_if(first, text_.begin() + std::min<std::ptrdiff_t>(offset, std::ssize(text_)), begins_character);
  return {name_, number + 1, static_cast<std::uint32_t>(before) + 1};
}

std::uint32_t SourceFile::token_at(std::uint32_t offset) const {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(tokens_.code, offset, {}, &Token::offset) - tokens_.code.begin());
}

}  // namespace rta::lint
