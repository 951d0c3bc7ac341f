#include "calls.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "call_table.hpp"

namespace rta::lint {
namespace {

class Finder {
 public:
  Finder(const Code& code, Range range) : code_(code), range_(range) {}

  std::vector<Call> run() {
    for (std::uint32_t i = range_.begin; i < range_.end; ++i) {
      const Token& token = code_[i];
      if (token.kind != TokenKind::identifier) continue;
      if (token.is("while") || token.is("for")) {
        if (code_.is(i + 1, "(")) loops_.push_back(condition(i));
      } else if (token.is("__device__") && !code_.is(i - 1, "__host__") && !code_.is(i + 1, "__host__")) {
        add_device_lambda(i);
      }
      if (is_keyword(token.text)) continue;
      Call call = at(i);
      const bool known = call.kind == Call::Kind::mention && is_listed(plain_name(call.name));
      if (known || (call.kind != Call::Kind::mention && call.kind != Call::Kind::declaration)) found_.push_back(std::move(call));
    }
    return std::move(found_);
  }

 private:
  /// What is evaluated again and again: all of `while (...)`, between the semicolons of `for (...)`; of a loop without a condition its
  /// body.
  [[nodiscard]] Range condition(std::uint32_t word) const {
    const std::uint32_t open = word + 1;
    const std::uint32_t close = std::min(code_.match(open), range_.end);
    Range part{open + 1, close};
    if (code_.is(word, "for")) {
      part.begin = close;
      for (std::uint32_t k = open + 1; k < close; ++k) {
        if (code_.is(k, "(") || code_.is(k, "{") || code_.is(k, "[")) {
          k = code_.match(k);
        } else if (code_.is(k, ";") && part.begin == close) {
          part.begin = k + 1;
        } else if (code_.is(k, ";")) {
          part.end = k;
          break;
        }
      }
    }
    const bool endless =
        part.begin == part.end || (part.end == part.begin + 1 && (code_.is(part.begin, "true") || code_.is(part.begin, "1")));
    if (endless && code_.is(close + 1, "{")) return {close + 1, std::min(code_.match(close + 1), range_.end)};
    return part;
  }

  void add_device_lambda(std::uint32_t word) {
    for (std::uint32_t k = word + 1; k < range_.end && k < word + 64; ++k) {
      if (code_.is(k, "(")) {
        k = code_.match(k);
      } else if (code_.is(k, "{")) {
        on_device_.push_back({k, code_.match(k)});
        return;
      } else if (code_.is(k, ";")) {
        return;
      }
    }
  }

  [[nodiscard]] Call at(std::uint32_t i) {
    Call call;
    call.name = code_[i].text;
    call.token = i;
    call.begin = beginning(i);
    call.is_member = i > range_.begin && (code_.is(i - 1, ".") || code_.is(i - 1, "->"));
    call.polls = inside(loops_, i);
    call.on_device = inside(on_device_, i);
    std::uint32_t after = i + 1;
    if (code_.is(after, "<")) after = code_.after_template(after);
    const bool follows_name = call.begin > range_.begin && is_type_end(call.begin - 1) && !call.is_member;
    if (code_.is(after, "<<<")) {
      const std::uint32_t end = code_.launch_end(after);
      if (end < code_.size()) {
        call.kind = Call::Kind::launch;
        call.arguments = code_.split({after + 1, end});
        return call;
      }
    }
    if (code_.is(after, "(") && follows_name && after == i + 1 && !is_function_type(call.begin - 1)) {
      call.kind = Call::Kind::declaration;  // `T x(...)`
    } else if (code_.is(after, "(")) {
      call.kind = Call::Kind::call;
      call.arguments = code_.split({after + 1, std::min(code_.match(after), range_.end)});
    } else if (declares_object(after)) {
      call.kind = Call::Kind::construction;
    } else {
      call.kind = is_unevaluated(call.begin) ? Call::Kind::declaration : Call::Kind::mention;
    }
    return call;
  }

  /// A name or what ends a type: then a name that follows is declared.
  [[nodiscard]] bool is_type_end(std::uint32_t i) const {
    const Token& token = code_[i];
    if (token.kind == TokenKind::identifier) return !is_keyword(token.text) || is_builtin(token.text);
    return token.is(">") && i > 0;
  }
  static bool is_builtin(std::string_view word) {
    constexpr std::array types = std::to_array<std::string_view>(
        {"auto", "bool", "char", "const", "double", "float", "int", "long", "short", "signed", "unsigned", "void", "volatile"});
    return std::ranges::binary_search(types, word);
  }
  /// Macros before a call (`[[maybe_unused]]`-like names in capitals) are no types.
  [[nodiscard]] bool is_function_type(std::uint32_t i) const {
    const std::string_view word = code_[i].text;
    return code_[i].kind == TokenKind::identifier && word.size() > 1 &&
           std::ranges::none_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
  }

  /// `decltype(&f)`, `sizeof(f)`: nothing is called, now or later.
  [[nodiscard]] bool is_unevaluated(std::uint32_t begin) const {
    std::uint32_t k = begin;
    if (k > 0 && code_.is(k - 1, "&")) --k;
    return k > 1 && code_.is(k - 1, "(") && (code_.is(k - 2, "decltype") || code_.is(k - 2, "sizeof") || code_.is(k - 2, "typeid"));
  }

  /// `T x;`, `T x(`, `T x{`, `T x =`, `T x,` after the type's name (and its template arguments).
  [[nodiscard]] bool declares_object(std::uint32_t after) const {
    const Token& variable = code_[after];
    if (variable.kind != TokenKind::identifier || is_keyword(variable.text)) return false;
    return code_.is(after + 1, ";") || code_.is(after + 1, "(") || code_.is(after + 1, "{") || code_.is(after + 1, "=");
  }

  static bool inside(std::vector<Range>& ranges, std::uint32_t i) {
    // Ranges end in the order of their nesting: those that have ended are of no more use.
    while (!ranges.empty() && ranges.back().end <= i) ranges.pop_back();
    return !ranges.empty() && ranges.back().begin <= i;
  }

  /// Back over `a::b::` and `x.y->`, at most so far that hostile text costs little.
  [[nodiscard]] std::uint32_t beginning(std::uint32_t i) const {
    constexpr std::uint32_t longest = 64;
    const std::uint32_t least = i > range_.begin + longest ? i - longest : range_.begin;
    std::uint32_t k = i;
    while (k > least) {
      const Token& before = code_[k - 1];
      if (before.is("::")) {
        k = k - 1;
        if (k > least && code_[k - 1].is_name() && !is_keyword(code_[k - 1].text)) --k;
      } else if ((before.is(".") || before.is("->")) && k >= least + 2 && code_[k - 2].is_name()) {
        k -= 2;
      } else {
        break;
      }
    }
    return k;
  }

  const Code& code_;
  Range range_;
  std::vector<Call> found_;
  std::vector<Range> loops_, on_device_;
};

}  // namespace

std::vector<Call> calls_in(const Code& code, Range range) { return Finder(code, range).run(); }

}  // namespace rta::lint
