// Tokens with their brackets matched.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lexer.hpp"

namespace rta::lint {

/// Tokens from `begin` to before `end`.
struct Range {
  std::uint32_t begin = 0, end = 0;
  [[nodiscard]] bool empty() const { return begin >= end; }
  [[nodiscard]] bool contains(std::uint32_t token) const { return begin <= token && token < end; }
};

/// A file's tokens, or those of a macro. Positions past the end are empty tokens, so that one may look ahead without asking.
class Code {
 public:
  Code() = default;
  Code(std::span<const Token> tokens, std::span<const Branch> branches);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(tokens_.size()); }
  [[nodiscard]] const Token& operator[](std::uint32_t i) const { return i < tokens_.size() ? tokens_[i] : none_; }
  [[nodiscard]] bool is(std::uint32_t i, std::string_view text) const { return (*this)[i].text == text; }
  [[nodiscard]] std::span<const Token> tokens() const { return tokens_; }

  /// Of a bracket that opens, the one that closes it, or size(); of any other token, itself.
  [[nodiscard]] std::uint32_t match(std::uint32_t i) const { return i < match_.size() ? match_[i] : size(); }
  /// The index after the template arguments that begin at `i` with `<`, or `i` where none do.
  [[nodiscard]] std::uint32_t after_template(std::uint32_t i) const;
  /// The index of the `>` of the `>>>` that closes the launch bracket at `i`, or size().
  [[nodiscard]] std::uint32_t launch_end(std::uint32_t i) const;
  /// What stands between commas from `begin` to before `end`; nothing for an empty range.
  [[nodiscard]] std::vector<Range> split(Range range) const;

 private:
  [[nodiscard]] bool adjacent(std::uint32_t i) const { return (*this)[i].end() == (*this)[i + 1].offset; }

  std::span<const Token> tokens_;
  std::vector<std::uint32_t> match_;
  Token none_;
};

[[nodiscard]] bool is_keyword(std::string_view name);

}  // namespace rta::lint
