#include "functions.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace rta::lint {
namespace {

/// Names before a parenthesis that are no declarator's.
constexpr std::array<std::string_view, 9> qualifiers{"__launch_bounds__", "__attribute__",  "__align__", "__declspec", "__maxnreg__",
                                                     "__cluster_dims__",  "__block_size__", "explicit",  "_Alignas"};

bool is_qualifier(std::string_view name) { return std::ranges::find(qualifiers, name) != qualifiers.end(); }

bool is_shouted(std::string_view name) {
  return std::ranges::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
}

/// What a brace at a place of declarations opens.
struct Opening {
  enum class Kind : std::uint8_t { names, type, function, value };
  Kind kind = Kind::value;
  std::string name;  // of a namespace or a type
  std::uint32_t name_token = 0;
  std::uint32_t parameters = 0;  // the parenthesis
};

class Declarations {
 public:
  explicit Declarations(const Code& code) : code_(code) { waiting_.push_back({{0, code.size()}, "", ""}); }

  std::vector<Function> run() {
    while (!waiting_.empty()) {
      const Region region = std::move(waiting_.back());
      waiting_.pop_back();
      scan(region);
    }
    std::ranges::sort(found_, {}, [](const Function& f) { return f.body.begin; });
    return std::move(found_);
  }

 private:
  struct Region {
    Range range;
    std::string prefix;  // of names, with its `::`
    std::string type;    // whose members are declared here
  };

  void scan(const Region& region) {
    std::uint32_t head = region.range.begin;
    for (std::uint32_t i = region.range.begin; i < region.range.end; ++i) {
      const Token& token = code_[i];
      if (token.kind != TokenKind::punctuator) continue;
      if (token.is(";") || token.is("}") || (token.is(":") && i > head && is_access(code_[i - 1].text))) {
        head = i + 1;
      } else if (token.is("(") || token.is("[")) {
        i = std::min(code_.match(i), region.range.end);
      } else if (token.is("{")) {
        const std::uint32_t close = std::min(code_.match(i), region.range.end);
        if (is_member_value(head, i)) {  // of a constructor's list of initial values
          i = close;
          continue;
        }
        const Opening opening = what_opens({head, i});
        enter(region, opening, {head, i}, {i, std::min(close + 1, code_.size())});
        // After a type or a value, declarators follow up to the semicolon.
        if (opening.kind != Opening::Kind::value) head = close + 1;
        i = close;
      }
    }
  }

  static bool is_access(std::string_view word) {
    return word == "public" || word == "private" || word == "protected" || word == "signals" || word == "slots";
  }

  /// `: a{1}, b{2} {`: only the body's brace follows a parenthesis or a brace.
  [[nodiscard]] bool is_member_value(std::uint32_t head, std::uint32_t brace) const {
    if (brace == head || !(code_[brace - 1].is_name() || code_.is(brace - 1, ">"))) return false;
    for (std::uint32_t k = head; k + 1 < brace; ++k) {
      if (code_.is(k, "(")) {
        k = code_.match(k);
        if (code_.is(k + 1, ":") && k + 1 < brace) return true;
        if (code_.is(k + 1, "noexcept") && code_.is(k + 2, ":")) return true;
      }
    }
    return false;
  }

  [[nodiscard]] std::uint32_t after_prefixes(Range head) const {
    std::uint32_t h = head.begin;
    for (bool moved = true; moved && h < head.end;) {
      moved = false;
      if (code_.is(h, "template") && code_.is(h + 1, "<")) {
        const std::uint32_t after = code_.after_template(h + 1);
        moved = after > h + 1;
        if (moved) h = after;
      } else if (code_.is(h, "[") && code_.is(h + 1, "[")) {
        h = code_.match(h) + 1;
        moved = true;
      } else if (code_.is(h, "extern") && code_[h + 1].kind == TokenKind::string) {
        h += 2;
        moved = true;
      }
    }
    return h;
  }

  [[nodiscard]] Opening what_opens(Range head) const {
    const std::uint32_t begin = after_prefixes(head);
    Opening opening;
    if (begin >= head.end) {  // `extern "C" {`, or a brace alone
      opening.kind = begin > head.begin ? Opening::Kind::names : Opening::Kind::value;
      return opening;
    }
    const std::uint32_t word = code_.is(begin, "inline") ? begin + 1 : begin;
    if (code_.is(word, "namespace")) {
      opening.kind = Opening::Kind::names;
      for (std::uint32_t k = word + 1; k < head.end; ++k) {
        if (code_.is(k, "(") || code_.is(k, "[")) {
          k = code_.match(k);
        } else if (code_[k].is_name() && !code_.is(k, "inline") && !is_qualifier(code_[k].text)) {
          opening.name += (opening.name.empty() ? "" : "::") + std::string(code_[k].text);
        }
      }
      return opening;
    }
    if (const auto function = declarator({begin, head.end})) return *function;
    for (std::uint32_t k = begin; k < head.end; ++k) {
      if (code_.is(k, "enum") || code_.is(k, "=")) return opening;
      if (code_.is(k, "class") || code_.is(k, "struct") || code_.is(k, "union")) {
        opening.kind = Opening::Kind::type;
        opening.name = type_name({k + 1, head.end});
        return opening;
      }
      if (code_.is(k, "(") || code_.is(k, "[")) k = code_.match(k);
    }
    return opening;
  }

  [[nodiscard]] std::string type_name(Range range) const {
    std::string name;
    for (std::uint32_t k = range.begin; k < range.end; ++k) {
      if (code_.is(k, "(") || code_.is(k, "[")) {
        k = code_.match(k);
      } else if (code_.is(k, ":") || code_.is(k, "final") || code_.is(k, "<")) {
        break;
      } else if (code_[k].is_name()) {
        name = code_[k].text;
      }
    }
    return name;
  }

  /// The last `name(...)` of the head that only what may stand between a function's parameters and its body follows.
  [[nodiscard]] std::optional<Opening> declarator(Range head) const {
    for (std::uint32_t k = head.begin; k < head.end; ++k) {
      if (code_.is(k, "=") && !(k > head.begin && code_.is(k - 1, "operator"))) return std::nullopt;
      if (code_.is(k, "[")) {
        k = code_.match(k);
        continue;
      }
      if (code_[k].is_name() && code_.is(k + 1, "<") && !code_.is(k, "operator")) {
        const std::uint32_t after = code_.after_template(k + 1);
        // The arguments of `A<T>::f(` and of `f<int>(` are none of the head's parentheses.
        if (after > k + 1 && !code_.is(after, "(")) k = after - 1;
        continue;
      }
      if (!code_.is(k, "(")) continue;
      const std::uint32_t close = code_.match(k);
      if (close >= head.end) return std::nullopt;
      if (k > head.begin && code_.is(k - 1, "operator") && code_.is(close + 1, "(")) {  // of the name `operator()`
        k = close;
        continue;
      }
      const auto name = name_before(head.begin, k);
      if (name && ends_head({close + 1, head.end})) {
        Opening opening;
        opening.kind = Opening::Kind::function;
        opening.name_token = *name;
        opening.parameters = k;
        return opening;
      }
      k = close;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::uint32_t> name_before(std::uint32_t begin, std::uint32_t parenthesis) const {
    if (parenthesis == begin) return std::nullopt;
    std::uint32_t k = parenthesis - 1;
    if (code_.is(k, ">")) {  // an explicit specialisation
      std::uint32_t depth = 0;
      for (;; --k) {
        if (code_.is(k, ">")) ++depth;
        if (code_.is(k, "<") && --depth == 0) break;
        if (k == begin) return std::nullopt;
      }
      if (k == begin) return std::nullopt;
      --k;
    }
    // `operator()`, `operator bool`, `operator+`: its parameters are the parenthesis after that.
    for (std::uint32_t back = k; back + 4 > k && back + 1 > begin; --back) {
      if (code_.is(back, "operator")) return back;
      if (back == 0) break;
    }
    if (code_.is(k, "operator")) return std::nullopt;
    const Token& token = code_[k];
    if (!token.is_name() || is_keyword(token.text) || is_qualifier(token.text)) return std::nullopt;
    return k;
  }

  [[nodiscard]] bool ends_head(Range rest) const {
    for (std::uint32_t k = rest.begin; k < rest.end; ++k) {
      const Token& token = code_[k];
      if (token.is(":") || token.is("->") || token.is("requires")) return true;
      if (token.is("(") || token.is("[")) {
        k = code_.match(k);
      } else if (token.is_name()) {
        const bool allowed = token.is("const") || token.is("volatile") || token.is("noexcept") || token.is("override") ||
                             token.is("final") || token.is("try") || token.is("throw") || is_qualifier(token.text) ||
                             is_shouted(token.text);
        if (!allowed) return false;
      } else if (!token.is("&") && !token.is("&&")) {
        return false;
      }
    }
    return true;
  }

  void enter(const Region& region, const Opening& opening, Range head, Range body) {
    if (opening.kind == Opening::Kind::names || opening.kind == Opening::Kind::type) {
      const bool named = !opening.name.empty();
      std::string type = opening.kind == Opening::Kind::type ? opening.name : std::string();
      // Prefixes of namespaces within namespaces stay readable, and short where the text is hostile.
      constexpr std::size_t longest = 400;
      std::string prefix = region.prefix;
      if (named && prefix.size() < longest) prefix += opening.name + "::";
      waiting_.push_back({{body.begin + 1, body.end == 0 ? 0 : body.end - 1}, std::move(prefix), std::move(type)});
      return;
    }
    Function function;
    function.head = head;
    function.body = body;
    function.type = region.type;
    if (opening.kind == Opening::Kind::function) {
      name(region, opening, function);
      add_parameters(opening.parameters, function);
    } else {
      function.is_code = false;
      function.is_early = true;
      for (std::uint32_t k = head.begin; k < body.end; ++k) {
        if (code_.is(k, "[")) function.is_early = false;
      }
      const std::uint32_t from = head.begin == head.end ? body.begin : head.begin;
      function.name_token = from;
      for (std::uint32_t k = head.begin; k < head.end && !code_.is(k, "="); ++k) {
        if (code_[k].is_name()) function.name_token = k;
      }
      function.name = code_[function.name_token].text;
      function.qualified = region.prefix + function.name;
    }
    bool host = false;
    for (std::uint32_t k = head.begin; k < head.end; ++k) {
      if (code_.is(k, "__global__")) function.is_kernel = true;
      if (code_.is(k, "__device__")) function.is_device = true;
      if (code_.is(k, "__host__")) host = true;
    }
    function.is_device = function.is_kernel || (function.is_device && !host);
    found_.push_back(std::move(function));
  }

  void name(const Region& region, const Opening& opening, Function& function) {
    std::uint32_t first = opening.name_token;
    function.name_token = first;
    if (code_.is(first, "operator")) {
      std::string text = "operator";
      for (std::uint32_t k = first + 1; k < opening.parameters; ++k) text += (code_[k].is_name() ? " " : "") + std::string(code_[k].text);
      function.name = std::move(text);
    } else if (first > function.head.begin && code_.is(first - 1, "~")) {
      function.name = "~" + std::string(code_[first].text);
      --first;
    } else {
      function.name = code_[first].text;
    }
    std::string qualifier;
    while (first >= function.head.begin + 2 && code_.is(first - 1, "::")) {
      std::uint32_t before = first - 2;
      if (code_.is(before, ">")) {  // A<T>::f
        std::uint32_t depth = 0;
        for (; before > function.head.begin; --before) {
          if (code_.is(before, ">")) ++depth;
          if (code_.is(before, "<") && --depth == 0) break;
        }
        if (before == function.head.begin) break;
        --before;
      }
      if (!code_[before].is_name()) break;
      if (qualifier.empty()) function.type = code_[before].text;
      qualifier.insert(0, std::string(code_[before].text) + "::");
      first = before;
      if (qualifier.size() > 400) break;
    }
    function.qualified = region.prefix + qualifier + function.name;
  }

  /// Types have commas, too: `std::map<int, int> m`.
  [[nodiscard]] std::vector<Range> split_parameters(Range range) const {
    std::vector<Range> parts;
    std::uint32_t begin = range.begin;
    for (std::uint32_t k = range.begin; k < range.end; ++k) {
      if (code_.is(k, "(") || code_.is(k, "[") || code_.is(k, "{")) {
        k = code_.match(k);
      } else if (code_[k].is_name() && code_.is(k + 1, "<")) {
        k = std::max(k, code_.after_template(k + 1) - 1);
      } else if (code_.is(k, ",")) {
        parts.push_back({begin, k});
        begin = k + 1;
      }
    }
    if (begin < range.end) parts.push_back({begin, range.end});
    return parts;
  }

  void add_parameters(std::uint32_t parenthesis, Function& function) {
    for (const Range& part : split_parameters({parenthesis + 1, code_.match(parenthesis)})) {
      Parameter parameter;
      std::uint32_t end = part.end;
      for (std::uint32_t k = part.begin; k < end; ++k) {
        if (code_.is(k, "...")) parameter.is_pack = true;
        if (code_.is(k, "=")) {
          parameter.has_default = true;
          parameter.default_value = {k + 1, part.end};
          end = k;
        } else if (code_.is(k, "(") || code_.is(k, "[")) {
          k = code_.match(k);
        } else if (code_[k].is_name()) {
          parameter.name = code_[k].text;
          parameter.is_stream = parameter.is_stream || code_.is(k, "cudaStream_t") || code_.is(k, "CUstream");
        }
      }
      if (!part.empty() && !(part.end == part.begin + 1 && code_.is(part.begin, "void"))) function.parameters.push_back(parameter);
    }
  }

  const Code& code_;
  std::vector<Region> waiting_;
  std::vector<Function> found_;
};

}  // namespace

std::vector<Function> functions_of(const Code& code) { return Declarations(code).run(); }

}  // namespace rta::lint
