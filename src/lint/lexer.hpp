// C++ and CUDA as tokens, with the places of each: comments, strings (raw ones too), continued lines, digraphs, launch brackets and
// directives are told apart as a compiler does; nothing is expanded. Any bytes are some tokens.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace rta::lint {

enum class TokenKind : std::uint8_t {
  identifier,  // and keywords
  number,
  string,  // with its prefix and quotes
  character,
  punctuator,  // `>` always alone, so that templates may close; `<<<` is one
};

struct Token {
  TokenKind kind = TokenKind::punctuator;
  std::uint32_t offset = 0;  // in the file, bytes
  std::uint32_t length = 0;  // there, continued lines included
  std::string_view text;     // without continuations

  [[nodiscard]] bool is(std::string_view other) const { return text == other; }
  [[nodiscard]] bool is_name() const { return kind == TokenKind::identifier; }
  [[nodiscard]] std::uint32_t end() const { return offset + length; }
};

struct Comment {
  std::uint32_t offset = 0, length = 0;
  std::string_view text;     // as written, with its slashes
  std::uint32_t before = 0;  // index of the first token of code after it
  bool own_line = false;     // no code precedes it on its line
};

/// `#define NAME(parameters) body`.
struct Macro {
  std::string_view name;
  std::uint32_t offset = 0;  // of the name
  bool has_parameters = false;
  std::vector<Token> body;
};

struct Include {
  std::string_view path;
  std::uint32_t offset = 0;
  bool quoted = false;
};

/// Where preprocessing chooses among branches: `before` is the index of the first token after the directive.
struct Branch {
  enum class Kind : std::uint8_t { begin, next, end };
  Kind kind = Kind::begin;
  std::uint32_t before = 0;
};

/// The text outlives this; so does this its tokens' texts, wherever it is moved.
struct Tokens {
  std::vector<Token> code;  // outside of directives and of what `#if 0` leaves out
  std::vector<Comment> comments;
  std::vector<Macro> macros;
  std::vector<Include> includes;
  std::vector<Branch> branches;
  std::deque<std::string> joined;  // texts of tokens that a continued line cuts
};

[[nodiscard]] Tokens tokens_of(std::string_view text);

}  // namespace rta::lint
