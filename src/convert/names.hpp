// Names and texts of other tools in the form that task-set files allow.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace rta::convert {

/// The text as a name: one word of at most `most` bytes; `standard` where nothing is left of it.
[[nodiscard]] std::string one_word(std::string_view text, std::string_view standard, std::size_t most = 120);

/// The function of a demangled kernel name, without return type, namespaces, template arguments and parameters.
[[nodiscard]] std::string_view function_name(std::string_view demangled);

/// The text on one line, in UTF-8, of at most `most` bytes: fit for a comment.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t most = 400);

/// Names that are given once.
class UniqueNames {
 public:
  /// `name`, or `name-2`, `name-3` … where it is taken.
  [[nodiscard]] std::string unique(const std::string& name);

 private:
  /// Whether nobody had it.
  bool take(std::string_view name);

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  // Of names that end with a dash and a number, where most numbers are taken: a bit for each.
  struct Numbers {
    std::vector<bool> taken;
    std::size_t count = 0;
  };
  std::unordered_map<std::string, Numbers, Hash, std::equal_to<>> numbers_;  // by what stands before the dash
  std::unordered_set<std::string, Hash, std::equal_to<>> others_;            // that are taken
  std::unordered_map<std::string, std::size_t> tried_;                       // name that is taken -> last number tried behind it
};

}  // namespace rta::convert
