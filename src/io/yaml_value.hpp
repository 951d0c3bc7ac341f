// One value of a YAML document, with its position: what the readers of this module work on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string_view>

#include "diagnostics.hpp"

namespace rta::io {

/// Of scalars that do not stand in the file as they are read.
using YamlTexts = std::unique_ptr<std::pmr::monotonic_buffer_resource>;

/// One scalar, sequence or mapping. Values lie in document order, so that the first child follows its parent at once and a
/// sibling follows the whole subtree; a mapping's children are key, value, key, value ….
struct Value {
  enum class Kind : std::uint8_t {
    scalar,
    null,  // nothing written, `~` or `null`
    sequence,
    mapping,
    rejected  // already reported; readers say nothing more about it
  };

  std::string_view text;  // of a scalar
  Mark mark;
  std::uint32_t extent = 1;  // values of the subtree, this one included
  Kind kind = Kind::scalar;
  bool plain_line = false;  // unquoted on one line: character i of the text stands i columns after `mark`

  [[nodiscard]] const Value* first() const { return this + 1; }
  [[nodiscard]] const Value* next() const { return this + extent; }
  /// Moves `mark`, the position of byte `from` of the text, to byte `to` >= `from`, as far as positions inside the text are known.
  void advance(Mark& at, std::size_t from, std::size_t to) const;
};

/// What kind of value it is, for messages: `a list`, `a mapping`, `a plain value`, `nothing`.
[[nodiscard]] std::string_view kind_text(const Value& value);

}  // namespace rta::io
