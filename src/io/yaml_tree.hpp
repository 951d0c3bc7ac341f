// A YAML document as a flat tree with positions.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnostics.hpp"
#include "yaml_value.hpp"

namespace rta::io {

class YamlTree {
 public:
  /// Reads one document; `text` has to outlive it. Syntax errors, anchors, aliases, tags, further documents and deep nesting are reported
  /// to `out`.
  YamlTree(std::string_view text, Diagnostics& out);
  /// The same, whatever the numbers: texts of at least `least` bytes are read in parts of about `part` bytes on all cores, where they can
  /// be.
  YamlTree(std::string_view text, Diagnostics& out, std::size_t least, std::size_t part);

  /// The document's value; null when there is none to work on.
  [[nodiscard]] const Value* root() const { return values_.empty() ? nullptr : values_.data(); }

  /// To change what stands there: whoever adds values sets the extents above them, and has the texts kept that they look at.
  [[nodiscard]] std::vector<Value>& values() { return values_; }
  void keep(YamlTexts texts) { texts_.push_back(std::move(texts)); }

 private:
  [[nodiscard]] bool read_in_parts(std::string_view text, std::size_t part);

  std::vector<YamlTexts> texts_;
  std::vector<Value> values_;
};

}  // namespace rta::io
