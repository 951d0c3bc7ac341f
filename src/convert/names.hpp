// Names and texts of other tools in the form that task-set files allow.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

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
  std::unordered_map<std::string, std::size_t> used_;  // name -> last number tried
};

}  // namespace rta::convert
