#include "lexer.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace rta::lint {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Bytes of other alphabets (UTF-8) are parts of names.
bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}
bool continues_name(char c) { return begins_name(c) || is_digit(c); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }

/// The text without its continued lines (a backslash, then the end of a line).
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) { skip_continuations(); }

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] std::uint32_t offset() const { return static_cast<std::uint32_t>(at_); }
  [[nodiscard]] char now() const { return at_end() ? '\0' : text_[at_]; }
  /// The character after this one.
  [[nodiscard]] char next() const {
    Cursor ahead = *this;
    ahead.step();
    return ahead.now();
  }
  void step() {
    if (at_end()) return;
    ++at_;
    skip_continuations();
  }
  void step(std::size_t count) {
    for (; count > 0; --count) step();
  }
  /// To a place of the text, as it is.
  void jump(std::size_t to) {
    at_ = std::min(to, text_.size());
    skip_continuations();
  }
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  void skip_continuations() {
    while (at_ < text_.size() && text_[at_] == '\\') {
      if (at_ + 1 < text_.size() && text_[at_ + 1] == '\n') {
        at_ += 2;
      } else if (at_ + 2 < text_.size() && text_[at_ + 1] == '\r' && text_[at_ + 2] == '\n') {
        at_ += 3;
      } else {
        return;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Longer ones first.
constexpr std::array<std::string_view, 17> operators{
    "<<<", "...", "->*", "<<=", "::", "->", "<<", "<=", "==", "!=", "&&", "||", "++", "--", "+=", "-=", "##"};

struct Digraph {
  std::string_view written, meant;
};
constexpr std::array<Digraph, 5> digraphs{{{"<%", "{"}, {"%>", "}"}, {"<:", "["}, {":>", "]"}, {"%:", "#"}}};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : cursor_(text) {}

  Tokens run() {
    while (skip_blank()) {
      if (cursor_.now() == '#' || (cursor_.now() == '%' && cursor_.next() == ':')) {
        if (!code_on_line_) {
          directive();
          continue;
        }
      }
      Token token = lex();
      code_on_line_ = true;
      if (left_out() == 0) out_.code.push_back(token);
    }
    return std::move(out_);
  }

 private:
  // What a conditional directive has left out so far: `#if 0` and what follows it up to its `#else` or `#endif`.
  struct Condition {
    bool left_out = false;  // its present branch
    bool taken = false;     // some branch was certainly taken: `#if 1`
    bool begun = false;     // some branch was kept
  };
  [[nodiscard]] std::size_t left_out() const { return left_out_; }
  [[nodiscard]] std::uint32_t next_token() const { return static_cast<std::uint32_t>(out_.code.size()); }

  /// Blanks and comments. False at the end of the text.
  bool skip_blank() {
    while (!cursor_.at_end()) {
      const char c = cursor_.now();
      if (is_space(c)) {
        if (c == '\n') {
          if (in_directive_) return true;
          code_on_line_ = false;
        }
        cursor_.step();
      } else if (c == '/' && cursor_.next() == '/') {
        comment([&] { return cursor_.now() == '\n'; }, 0);
      } else if (c == '/' && cursor_.next() == '*') {
        comment([&] { return cursor_.now() == '*' && cursor_.next() == '/'; }, 2);
      } else {
        return true;
      }
    }
    return false;
  }

  template <class Ends>
  void comment(Ends ends, std::size_t closing) {
    const std::uint32_t from = cursor_.offset();
    cursor_.step(2);
    while (!cursor_.at_end() && !ends()) cursor_.step();
    cursor_.step(closing);
    if (left_out() > 0) return;
    const std::uint32_t length = cursor_.offset() - from;
    out_.comments.push_back({from, length, cursor_.text().substr(from, length), next_token(), !code_on_line_ && !in_directive_});
  }

  Token finished(TokenKind kind, std::uint32_t from, std::string_view meant = {}) {
    Token token;
    token.kind = kind;
    token.offset = from;
    token.length = length_since(from);
    token.text = meant.empty() ? joined(from, token.length) : meant;
    return token;
  }
  /// Continuations that follow a token are no part of it.
  [[nodiscard]] std::uint32_t length_since(std::uint32_t from) const {
    std::string_view raw = cursor_.text().substr(from, cursor_.offset() - from);
    for (;;) {
      if (raw.ends_with("\\\n")) {
        raw.remove_suffix(2);
      } else if (raw.ends_with("\\\r\n")) {
        raw.remove_suffix(3);
      } else {
        return static_cast<std::uint32_t>(raw.size());
      }
    }
  }
  std::string_view joined(std::uint32_t from, std::uint32_t length) {
    const std::string_view raw = cursor_.text().substr(from, length);
    if (raw.find("\\\n") == std::string_view::npos && raw.find("\\\r\n") == std::string_view::npos) return raw;
    std::string whole;
    Cursor part(raw);
    for (; !part.at_end(); part.step()) whole += part.now();
    return out_.joined.emplace_back(std::move(whole));
  }

  Token lex() {
    const std::uint32_t from = cursor_.offset();
    const char c = cursor_.now();
    if (begins_name(c)) return name(from);
    if (is_digit(c) || (c == '.' && is_digit(cursor_.next()))) return number(from);
    if (c == '"') return quoted(TokenKind::string, from, '"');
    if (c == '\'') return quoted(TokenKind::character, from, '\'');
    return punctuator(from);
  }

  Token name(std::uint32_t from) {
    while (continues_name(cursor_.now()) && !cursor_.at_end()) cursor_.step();
    const Token token = finished(TokenKind::identifier, from);
    const bool prefixes = token.is("R") || token.is("L") || token.is("u") || token.is("U") || token.is("u8") || token.is("LR") ||
                          token.is("uR") || token.is("UR") || token.is("u8R");
    if (!prefixes || cursor_.offset() != token.end()) return token;
    if (cursor_.now() == '"') return token.text.back() == 'R' ? raw_string(from) : quoted(TokenKind::string, from, '"');
    if (cursor_.now() == '\'' && token.text.back() != 'R') return quoted(TokenKind::character, from, '\'');
    return token;
  }

  /// A preprocessing number: digits, letters, points, separators, signs of exponents.
  Token number(std::uint32_t from) {
    while (!cursor_.at_end()) {
      const char c = cursor_.now();
      const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
      if (exponent && (cursor_.next() == '+' || cursor_.next() == '-')) {
        cursor_.step(2);
      } else if (continues_name(c) || c == '.' || (c == '\'' && continues_name(cursor_.next()))) {
        cursor_.step();
      } else {
        break;
      }
    }
    return finished(TokenKind::number, from);
  }

  /// Ends with the line at the latest: one quote too many must not swallow the rest of the file.
  Token quoted(TokenKind kind, std::uint32_t from, char quote) {
    cursor_.step();
    while (!cursor_.at_end() && cursor_.now() != quote && cursor_.now() != '\n') {
      if (cursor_.now() == '\\' && cursor_.next() != '\n') cursor_.step();
      cursor_.step();
    }
    if (cursor_.now() == quote) cursor_.step();
    return finished(kind, from);
  }

  /// Nothing in it is special, continued lines neither. The cursor is at its quote.
  Token raw_string(std::uint32_t from) {
    const std::string_view text = cursor_.text();
    const std::size_t quote = cursor_.offset();
    constexpr std::size_t longest_delimiter = 16;
    std::size_t open = quote + 1;
    while (open < text.size() && open - quote <= longest_delimiter + 1 && text[open] != '(' && text[open] != ')' && text[open] != '\\' &&
           text[open] != '"' && !is_space(text[open])) {
      ++open;
    }
    if (open >= text.size() || text[open] != '(') return quoted(TokenKind::string, from, '"');
    const std::string closing = ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
    const std::size_t close = text.find(closing, open + 1);
    const std::size_t end = close == std::string_view::npos ? text.size() : close + closing.size();
    cursor_.jump(end);
    Token token;
    token.kind = TokenKind::string;
    token.offset = from;
    token.length = static_cast<std::uint32_t>(end - from);
    token.text = text.substr(from, token.length);
    return token;
  }

  Token punctuator(std::uint32_t from) {
    const auto starts_with = [&](std::string_view what) {
      Cursor ahead = cursor_;
      for (const char c : what) {
        if (ahead.at_end() || ahead.now() != c) return false;
        ahead.step();
      }
      return true;
    };
    // `<::` opens a template argument unless `:` or `>` follows.
    const bool names_global = starts_with("<::") && !starts_with("<:::") && !starts_with("<::>");
    for (const Digraph& digraph : digraphs) {
      if ((names_global && digraph.written == "<:") || !starts_with(digraph.written)) continue;
      cursor_.step(2);
      return finished(TokenKind::punctuator, from, digraph.meant);
    }
    const bool of_operator = !out_.code.empty() && out_.code.back().is("operator");
    for (const std::string_view one : operators) {
      if (!starts_with(one) || (one == "<<<" && of_operator)) continue;
      cursor_.step(one.size());
      return finished(TokenKind::punctuator, from);
    }
    cursor_.step();
    return finished(TokenKind::punctuator, from);
  }

  /// The rest of the directive's line as tokens.
  std::vector<Token> line() {
    std::vector<Token> all;
    while (skip_blank() && cursor_.now() != '\n') all.push_back(lex());
    return all;
  }

  void directive() {
    in_directive_ = true;
    cursor_.step(cursor_.now() == '%' ? 2 : 1);
    if (skip_blank() && begins_name(cursor_.now())) {
      const Token word = name(cursor_.offset());
      if (word.is("include") || word.is("include_next") || word.is("import")) {
        include();
      } else if (word.is("define")) {
        define();
      } else {
        condition(word.text);
      }
    }
    (void)line();
    in_directive_ = false;
  }

  void include() {
    if (!skip_blank() || left_out() > 0) return;
    const char open = cursor_.now();
    if (open != '<' && open != '"') return;
    const std::string_view text = cursor_.text();
    const std::size_t from = cursor_.offset() + 1U;
    const std::size_t end = std::min(text.find(open == '<' ? '>' : '"', from), text.find('\n', from));
    if (end == std::string_view::npos || text[end] == '\n') return;
    out_.includes.push_back({text.substr(from, end - from), static_cast<std::uint32_t>(from), open == '"'});
    cursor_.jump(end + 1);
  }

  void define() {
    if (!skip_blank() || !begins_name(cursor_.now())) return;
    const Token defined = name(cursor_.offset());
    Macro macro;
    macro.name = defined.text;
    macro.offset = defined.offset;
    macro.has_parameters = cursor_.now() == '(' && cursor_.offset() == defined.end();
    macro.body = line();
    if (macro.has_parameters) {
      const auto close = std::ranges::find_if(macro.body, [](const Token& t) { return t.is(")"); });
      macro.body.erase(macro.body.begin(), close == macro.body.end() ? close : close + 1);
    }
    if (left_out() == 0) out_.macros.push_back(std::move(macro));
  }

  void condition(std::string_view word) {
    const bool opens = word == "if" || word == "ifdef" || word == "ifndef";
    const bool next = word == "else" || word == "elif" || word == "elifdef" || word == "elifndef";
    if (!opens && !next && word != "endif") return;
    const std::vector<Token> words = line();
    const bool constant = words.size() == 1 && (word == "if" || word == "elif");
    const bool never = constant && (words[0].is("0") || words[0].is("false"));
    const bool always = constant && (words[0].is("1") || words[0].is("true"));
    if (opens) {
      enter({never, always, false});
      return;
    }
    if (conditions_.empty()) return;
    const Condition before = conditions_.back();
    if (before.left_out) --left_out_;
    conditions_.pop_back();
    if (next) {
      enter({before.taken || never, before.taken || always, before.begun});
    } else if (before.begun) {
      out_.branches.push_back({Branch::Kind::end, next_token()});
    }
  }
  void enter(Condition condition) {
    if (condition.left_out) ++left_out_;
    if (left_out() == 0) {
      out_.branches.push_back({condition.begun ? Branch::Kind::next : Branch::Kind::begin, next_token()});
      condition.begun = true;
    }
    conditions_.push_back(condition);
  }

  Cursor cursor_;
  Tokens out_;
  bool code_on_line_ = false;
  bool in_directive_ = false;
  std::vector<Condition> conditions_;
  std::size_t left_out_ = 0;
};

}  // namespace

Tokens tokens_of(std::string_view text) {
  // Offsets have 32 bits; readers end files long before.
  return Lexer(text.substr(0, std::numeric_limits<std::uint32_t>::max())).run();
}

}  // namespace rta::lint
