#include "code.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace rta::lint {
namespace {

// In the order of the alphabet, so that they are found by halves.
constexpr std::array keywords = std::to_array<std::string_view>({"__attribute__",
                                                                 "alignas",
                                                                 "alignof",
                                                                 "and",
                                                                 "asm",
                                                                 "auto",
                                                                 "bool",
                                                                 "break",
                                                                 "case",
                                                                 "catch",
                                                                 "char",
                                                                 "char16_t",
                                                                 "char32_t",
                                                                 "char8_t",
                                                                 "class",
                                                                 "co_await",
                                                                 "co_return",
                                                                 "co_yield",
                                                                 "concept",
                                                                 "const",
                                                                 "const_cast",
                                                                 "consteval",
                                                                 "constexpr",
                                                                 "constinit",
                                                                 "continue",
                                                                 "decltype",
                                                                 "default",
                                                                 "delete",
                                                                 "do",
                                                                 "double",
                                                                 "dynamic_cast",
                                                                 "else",
                                                                 "enum",
                                                                 "explicit",
                                                                 "export",
                                                                 "extern",
                                                                 "false",
                                                                 "float",
                                                                 "for",
                                                                 "friend",
                                                                 "goto",
                                                                 "if",
                                                                 "inline",
                                                                 "int",
                                                                 "long",
                                                                 "mutable",
                                                                 "namespace",
                                                                 "new",
                                                                 "noexcept",
                                                                 "not",
                                                                 "nullptr",
                                                                 "operator",
                                                                 "or",
                                                                 "private",
                                                                 "protected",
                                                                 "public",
                                                                 "register",
                                                                 "reinterpret_cast",
                                                                 "requires",
                                                                 "return",
                                                                 "short",
                                                                 "signed",
                                                                 "sizeof",
                                                                 "static",
                                                                 "static_assert",
                                                                 "static_cast",
                                                                 "struct",
                                                                 "switch",
                                                                 "template",
                                                                 "this",
                                                                 "thread_local",
                                                                 "throw",
                                                                 "true",
                                                                 "try",
                                                                 "typedef",
                                                                 "typeid",
                                                                 "typename",
                                                                 "union",
                                                                 "unsigned",
                                                                 "using",
                                                                 "virtual",
                                                                 "void",
                                                                 "volatile",
                                                                 "wchar_t",
                                                                 "while",
                                                                 "xor"});

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// Open brackets, innermost first; a stack that can be gone back to, since branches of `#if` begin alike.
struct Open {
  std::uint32_t token = 0;
  char closing = ')';
  std::uint32_t outer = none;
  std::uint32_t brace = none;  // the innermost open brace, itself or around it
};

}  // namespace

bool is_keyword(std::string_view name) { return std::ranges::binary_search(keywords, name); }

Code::Code(std::span<const Token> tokens, std::span<const Branch> branches) : tokens_(tokens), match_(tokens.size()) {
  std::vector<Open> opened;
  std::vector<std::uint32_t> saved;  // the innermost bracket where each `#if` began
  std::uint32_t inner = none;
  std::size_t next_branch = 0;
  for (std::uint32_t i = 0; i < tokens.size(); ++i) {
    for (; next_branch < branches.size() && branches[next_branch].before <= i; ++next_branch) {
      const Branch::Kind kind = branches[next_branch].kind;
      if (kind == Branch::Kind::begin) saved.push_back(inner);
      if (kind == Branch::Kind::next && !saved.empty()) {
        // What the branch before has left open ends with it: the next one begins as it did.
        for (; inner != none && inner != saved.back() && opened[inner].token + 1 <= i; inner = opened[inner].outer) {
          if (match_[opened[inner].token] == size()) match_[opened[inner].token] = i - 1;
        }
        inner = saved.back();
      }
      if (kind == Branch::Kind::end && !saved.empty()) saved.pop_back();
    }
    match_[i] = i;
    if (tokens[i].kind != TokenKind::punctuator || tokens[i].text.size() != 1) continue;
    const char c = tokens[i].text.front();
    if (c == '(' || c == '[' || c == '{') {
      const auto number = static_cast<std::uint32_t>(opened.size());
      const char closing = c == '(' ? ')' : c == '[' ? ']' : '}';
      opened.push_back({i, closing, inner, c == '{' ? number : inner == none ? none : opened[inner].brace});
      inner = number;
      match_[i] = size();
    } else if (c == ')' || c == ']') {
      if (inner == none || opened[inner].closing != c) continue;
      match_[opened[inner].token] = std::min(match_[opened[inner].token], i);
      inner = opened[inner].outer;
    } else if (c == '}') {
      // A brace ends whatever is open inside it.
      if (inner == none || opened[inner].brace == none) continue;
      const Open& brace = opened[opened[inner].brace];
      match_[brace.token] = std::min(match_[brace.token], i);
      inner = brace.outer;
    }
  }
}

std::uint32_t Code::after_template(std::uint32_t i) const {
  if (!is(i, "<")) return i;
  constexpr std::uint32_t longest = 256;  // tokens; what is longer is a comparison in code that is none
  std::uint32_t depth = 0;
  for (std::uint32_t k = i; k < size() && k < i + longest; ++k) {
    const Token& token = (*this)[k];
    if (token.kind != TokenKind::punctuator) continue;
    if (token.is("<")) {
      ++depth;
    } else if (token.is(">")) {
      if (--depth == 0) return k + 1;
    } else if (token.is("(") || token.is("[") || token.is("{")) {
      k = match(k);
    } else if (token.is(";") || token.is(")") || token.is("]") || token.is("}") || token.is("<<<") || token.is("&&") || token.is("||")) {
      return i;
    }
  }
  return i;
}

std::uint32_t Code::launch_end(std::uint32_t i) const {
  std::uint32_t templates = 0;  // that are open
  for (std::uint32_t k = i + 1; k < size(); ++k) {
    const Token& token = (*this)[k];
    if (token.kind != TokenKind::punctuator) continue;
    if (token.is("(") || token.is("[") || token.is("{")) {
      k = match(k);
    } else if (token.is("<")) {
      if (k > 0 && (*this)[k - 1].is_name()) ++templates;
    } else if (token.is(">")) {
      const bool three = is(k + 1, ">") && is(k + 2, ">") && adjacent(k) && adjacent(k + 1);
      if (three && templates < 3) return k;
      if (templates > 0) --templates;
    } else if (token.is(";") || token.is("}") || token.is(")")) {
      return size();
    }
  }
  return size();
}

std::vector<Range> Code::split(Range range) const {
  std::vector<Range> parts;
  if (range.empty()) return parts;
  std::uint32_t begin = range.begin;
  for (std::uint32_t k = range.begin; k < range.end; ++k) {
    const Token& token = (*this)[k];
    if (token.kind == TokenKind::identifier && is(k + 1, "<")) {
      const std::uint32_t after = after_template(k + 1);
      // `a<b>(c)`, `a<b>::c`, `a<b>{}`: else it compares.
      if (after > k + 1 && after < range.end && (is(after, "(") || is(after, "::") || is(after, "{") || is(after, "*") || is(after, "&")))
        k = after - 1;
      continue;
    }
    if (token.kind != TokenKind::punctuator) continue;
    if (token.is("(") || token.is("[") || token.is("{")) {
      k = std::min(match(k), range.end - 1);
    } else if (token.is("<<<")) {
      k = std::min(std::max(launch_end(k), k), range.end - 1);
    } else if (token.is(",")) {
      parts.push_back({begin, k});
      begin = k + 1;
    }
  }
  parts.push_back({begin, range.end});
  return parts;
}

}  // namespace rta::lint
