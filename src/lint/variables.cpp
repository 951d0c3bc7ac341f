#include "variables.hpp"

#include <algorithm>
#include <array>

#include "expressions.hpp"

namespace rta::lint {
namespace {

constexpr std::array<std::string_view, 8> allocators{"malloc", "calloc", "realloc",  "aligned_alloc",
                                                     "strdup", "valloc", "memalign", "mmap"};
constexpr std::array<std::string_view, 5> statement_words{"return", "throw", "goto", "delete", "else"};

bool is_one_of(std::span<const std::string_view> words, std::string_view word) { return std::ranges::find(words, word) != words.end(); }

class VariableReader {
 public:
  explicit VariableReader(const Unit& unit) : unit_(unit), code_(unit.code()) {}

  DeclaredVariables run() {
    parameters();
    for (std::uint32_t i = 0; i < code_.size(); ++i) {
      if (code_[i].kind != TokenKind::identifier) continue;
      if (container(i)) continue;
      if (is_valued_type(code_[i].text)) initial_value(i);
      if (code_.is(i, "unsigned") || code_.is(i, "int") || code_.is(i, "auto")) initial_value(i);
      variable_at(i);
    }
    std::ranges::stable_sort(found_.variables, {}, &Variable::name);
    return std::move(found_);
  }

 private:
  void add(std::uint32_t token, Storage storage) {
    found_.variables.push_back({code_[token].text, token, unit_.function_at(token), storage});
  }

  void parameters() {
    const auto functions = unit_.functions();
    for (std::uint32_t f = 0; f < functions.size(); ++f) {
      for (const Parameter& parameter : functions[f].parameters) {
        if (!parameter.name.empty()) found_.variables.push_back({parameter.name, functions[f].head.begin, f, Storage::parameter});
      }
    }
  }

  /// `std::vector<T> x`, also by reference; a second argument may be an allocator of pinned memory.
  bool container(std::uint32_t i) {
    const bool one = code_.is(i, "vector") || code_.is(i, "unique_ptr") || code_.is(i, "deque");
    const bool any = code_.is(i, "array");
    if (code_.is(i, "string") && code_.is(i - 1, "::")) return name_after(i + 1);
    if ((!one && !any) || !code_.is(i + 1, "<")) return false;
    const std::uint32_t after = code_.after_template(i + 1);
    if (after == i + 1) return false;
    if (one && !is_one_type({i + 2, after - 1})) return false;
    return name_after(after);
  }
  [[nodiscard]] bool is_one_type(Range arguments) const {
    std::uint32_t depth = 0;
    for (std::uint32_t k = arguments.begin; k < arguments.end; ++k) {
      if (code_.is(k, "<")) ++depth;
      if (code_.is(k, ">")) --depth;
      if (code_.is(k, ",") && depth == 0) return false;
      if (code_.is(k, "(") || code_.is(k, "[")) k = code_.match(k);
    }
    return true;
  }
  bool name_after(std::uint32_t k) {
    while (code_.is(k, "&") || code_.is(k, "*") || code_.is(k, "&&") || code_.is(k, "const")) ++k;
    if (!code_[k].is_name() || is_keyword(code_[k].text)) return false;
    if (code_.is(k + 1, "(") && code_.is(k + 2, ")")) return false;  // a function
    add(k, Storage::container);
    contained_ = k;
    return true;
  }

  static bool is_valued_type(std::string_view word) {
    return word == "cudaStream_t" || word == "CUstream" || word == "cudaLaunchConfig_t" || word == "CUlaunchConfig";
  }
  /// `T x = value;`, `T x{value};`, `T x(value);`, `T x;`
  void initial_value(std::uint32_t type) {
    std::uint32_t k = type + 1;
    if (code_.is(k, "const")) ++k;
    if (!code_[k].is_name() || is_keyword(code_[k].text)) return;
    const std::uint32_t function = unit_.function_at(k);
    if (function != no_index && unit_.functions()[function].head.contains(k)) return;  // a parameter's default says little
    InitialValue value{code_[type].text, code_[k].text, k, function, {}};
    if (code_.is(k + 1, "=")) {
      std::uint32_t end = k + 2;
      while (end < code_.size() && !code_.is(end, ";") && !code_.is(end, ",") && !code_.is(end, ")")) end = code_.match(end) + 1;
      value.value = {k + 2, std::min(end, code_.size())};
    } else if (code_.is(k + 1, "{")) {
      value.value = {k + 1, std::min(code_.match(k + 1) + 1, code_.size())};
    } else if (code_.is(k + 1, "(")) {
      value.value = {k + 2, code_.match(k + 1)};
    } else if (!code_.is(k + 1, ";")) {
      return;
    }
    found_.initial_values.push_back(value);
  }

  /// Arrays, objects, and pointers to what new or malloc gave.
  void variable_at(std::uint32_t i) {
    if (i == 0 || i == contained_ || is_keyword(code_[i].text)) return;
    const bool has_value = code_.is(i + 1, "=");
    if (has_value && allocates(i + 2)) {
      add(i, Storage::container);
      return;
    }
    if (!declares(i)) return;
    if (code_.is(i + 1, "[")) {
      std::uint32_t after = code_.match(i + 1) + 1;
      while (code_.is(after, "[")) after = code_.match(after) + 1;
      const bool declared = code_.is(after, ";") || code_.is(after, "=") || code_.is(after, "{") || code_.is(after, ",");
      if (declared && !on_device(i)) add(i, Storage::container);
    } else if (has_value || code_.is(i + 1, ";") || code_.is(i + 1, "{") || code_.is(i + 1, ",")) {
      if (unit_.function_at(i) != no_index && !on_device(i)) add(i, Storage::object);
    }
  }

  /// A type's last token precedes the name; no `*` or `&`, which make it something else.
  [[nodiscard]] bool declares(std::uint32_t i) const {
    const Token& before = code_[i - 1];
    if (before.kind == TokenKind::identifier) return !is_one_of(statement_words, before.text) && !before.is("new") && !before.is("case");
    return before.is(">") && !code_.is(i - 2, "-");
  }

  [[nodiscard]] bool allocates(std::uint32_t i) const {
    for (std::uint32_t k = i; k < code_.size() && k < i + 16; ++k) {
      if (code_.is(k, ";") || code_.is(k, ",")) return false;
      if (code_.is(k, "new")) return true;
      if (code_.is(k, "make_unique") && code_.is(k + 1, "<")) return true;
      if (code_.is(k + 1, "(") && is_one_of(allocators, code_[k].text)) return true;
    }
    return false;
  }

  /// `__device__`, `__constant__`, `__shared__` or `__managed__` in the same declaration.
  [[nodiscard]] bool on_device(std::uint32_t i) const {
    for (std::uint32_t k = i; k > 0 && k + 16 > i; --k) {
      const Token& token = code_[k - 1];
      if (token.is(";") || token.is("{") || token.is("}")) return false;
      if (token.is("__device__") || token.is("__constant__") || token.is("__shared__") || token.is("__managed__")) return true;
    }
    return false;
  }

  const Unit& unit_;
  const Code& code_;
  DeclaredVariables found_;
  std::uint32_t contained_ = no_index;  // the variable that was last found to be a container
};

}  // namespace

DeclaredVariables variables_of(const Unit& unit) { return VariableReader(unit).run(); }

}  // namespace rta::lint
