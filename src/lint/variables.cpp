#include "variables.hpp"

#include <algorithm>
#include <array>
#include <optional>

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
      if (code_.is(i, "{")) scopes_.push_back(class_before(i));
      if (code_.is(i, "}") && !scopes_.empty()) scopes_.pop_back();
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
    const std::uint32_t function = unit_.function_at(token);
    const bool member = function == no_index && !scopes_.empty();
    found_.variables.push_back({code_[token].text, token, function, storage, member ? scopes_.back() : std::string_view()});
  }

  /// `struct A : B {`; empty: of something else.
  [[nodiscard]] std::string_view class_before(std::uint32_t brace) const {
    constexpr std::uint32_t longest = 64;
    for (std::uint32_t k = brace; k > 0 && brace - k < longest; --k) {
      const Token& token = code_[k - 1];
      if (token.is(";") || token.is("{") || token.is("}") || token.is(")")) return {};
      if ((token.is("struct") || token.is("class")) && code_[k].is_name()) return code_[k].text;
    }
    return {};
  }

  void parameters() {
    const auto functions = unit_.functions();
    for (std::uint32_t f = 0; f < functions.size(); ++f) {
      for (const Parameter& parameter : functions[f].parameters) {
        if (!parameter.name.empty()) found_.variables.push_back({parameter.name, functions[f].head.begin, f, Storage::parameter});
      }
    }
  }

  struct Type {
    Storage storage = Storage::container;
    std::uint32_t after = 0;
  };
  /// `std::vector<T>`, or what the file calls so; a second argument may be an allocator of pinned memory.
  [[nodiscard]] std::optional<Type> container_type(std::uint32_t i) const {
    if (code_.is(i, "string") && code_.is(i - 1, "::")) return Type{Storage::container, i + 1};
    if (const auto known = found_.types.find(code_[i].text); known != found_.types.end()) {
      if (code_.is(i - 1, ".") || code_.is(i - 1, "->")) return std::nullopt;
      return Type{known->second, code_.is(i + 1, "<") ? code_.after_template(i + 1) : i + 1};
    }
    const bool of_device = code_.is(i, "device_vector");
    const bool one = code_.is(i, "vector") || code_.is(i, "unique_ptr") || code_.is(i, "deque") || code_.is(i, "host_vector");
    const bool any = code_.is(i, "array") || of_device;
    if ((!one && !any) || !code_.is(i + 1, "<")) return std::nullopt;
    const std::uint32_t after = code_.after_template(i + 1);
    if (after == i + 1 || (one && !is_one_type({i + 2, after - 1}))) return std::nullopt;
    return Type{of_device ? Storage::device : Storage::container, after};
  }
  /// `std::vector<T> x`, also by reference.
  bool container(std::uint32_t i) {
    const auto type = container_type(i);
    if (!type) return false;
    const std::uint32_t first = first_of_name(i);
    if (code_.is(first - 1, "typedef")) {
      if (code_[type->after].is_name() && code_.is(type->after + 1, ";")) found_.types.emplace(code_[type->after].text, type->storage);
      return false;
    }
    if (code_.is(first - 1, "=") && code_.is(first - 3, "using")) {
      if (code_.is(type->after, ";")) found_.types.emplace(code_[first - 2].text, type->storage);
      return false;
    }
    return names_after(type->after, type->storage);
  }
  /// Of `a::b`, where `b` is at i.
  [[nodiscard]] std::uint32_t first_of_name(std::uint32_t i) const {
    constexpr std::uint32_t most_names = 8;
    for (std::uint32_t names = 0; names < most_names && i > 0 && code_.is(i - 1, "::"); ++names) {
      --i;
      if (i > 0 && code_[i - 1].is_name() && !is_keyword(code_[i - 1].text)) --i;
    }
    return i;
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
  /// `x`, or `x(1), y(2);`.
  bool names_after(std::uint32_t k, Storage storage) {
    const auto name_at = [&] {
      while (code_.is(k, "&") || code_.is(k, "*") || code_.is(k, "&&") || code_.is(k, "const")) ++k;
      return code_[k].is_name() && !is_keyword(code_[k].text);
    };
    if (!name_at()) return false;
    if (code_.is(k + 1, "(") && code_.is(k + 2, ")")) return false;  // a function
    contained_.assign(1, k);
    for (k = after_declarator(k); code_.is(k, ","); k = after_declarator(k)) {
      ++k;
      if (!name_at()) break;
      contained_.push_back(k);
    }
    if (!code_.is(k, ";")) contained_.resize(1);  // parameters
    for (const std::uint32_t name : contained_) add(name, storage);
    return true;
  }
  /// The comma or the end after a name and its value.
  [[nodiscard]] std::uint32_t after_declarator(std::uint32_t name) const {
    std::uint32_t k = name + 1;
    if (code_.is(k, "=")) {
      while (k < code_.size() && !code_.is(k, ";") && !code_.is(k, ",") && !code_.is(k, ")")) k = code_.match(k) + 1;
    } else {
      while (code_.is(k, "(") || code_.is(k, "{") || code_.is(k, "[")) k = code_.match(k) + 1;
    }
    return k;
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
    if (i == 0 || std::ranges::find(contained_, i) != contained_.end() || is_keyword(code_[i].text)) return;
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
  std::vector<std::string_view> scopes_;  // braces that are open: of which class
  std::vector<std::uint32_t> contained_;  // the variables that were last found to be containers
};

}  // namespace

DeclaredVariables variables_of(const Unit& unit) { return VariableReader(unit).run(); }

}  // namespace rta::lint
