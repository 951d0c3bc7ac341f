// A file's YAML, once it is known to hold something.
#pragma once

#include <string_view>

#include "file.hpp"
#include "yaml_tree.hpp"

namespace rta::io {

class YamlDocument {
 public:
  /// `text` has to outlive it. Throws `InputError` for text that is too large, no YAML or empty; then `contents` says what such a file has.
  YamlDocument(std::string_view text, Diagnostics& out, std::string_view contents) : tree_(of_bearable_size(text, out), out) {
    out.throw_if_failed();
    if (tree_.root() != nullptr && tree_.root()->kind != Value::Kind::null) return;
    out.error({1, 1}, std::string("the file is empty: ").append(contents));
    out.throw_if_failed();
  }

  [[nodiscard]] const Value& root() const { return *tree_.root(); }
  [[nodiscard]] YamlTree& tree() { return tree_; }

 private:
  static std::string_view of_bearable_size(std::string_view text, Diagnostics& out) {
    if (text.size() > largest_file()) out.error({}, too_large());
    out.throw_if_failed();
    return text;
  }

  YamlTree tree_;
};

}  // namespace rta::io
