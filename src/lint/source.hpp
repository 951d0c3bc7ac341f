// A source file in memory: its text, its tokens, and the places of its bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lexer.hpp"
#include "rta/lint/finding.hpp"

namespace rta::lint {

class SourceFile {
 public:
  SourceFile(std::string name, std::string text);
  SourceFile(const SourceFile&) = delete;  // tokens point into the text
  SourceFile& operator=(const SourceFile&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const Tokens& tokens() const { return tokens_; }

  /// Lines and columns count from 1, columns in characters (of UTF-8).
  [[nodiscard]] Place place(std::uint32_t offset) const;
  /// The line of that offset, from 0.
  [[nodiscard]] std::uint32_t line(std::uint32_t offset) const;
  /// The offset of its first byte; of a line past the last one, the end.
  [[nodiscard]] std::uint32_t line_begin(std::uint32_t line) const {
    return line < lines_.size() ? lines_[line] : static_cast<std::uint32_t>(text_.size());
  }
  /// The index of the token that begins at the offset, or of the first one after it.
  [[nodiscard]] std::uint32_t token_at(std::uint32_t offset) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<std::uint32_t> lines_;  // offsets of their first bytes
  Tokens tokens_;
};

}  // namespace rta::lint
