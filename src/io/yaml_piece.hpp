// One parse: the values of a part of a file.
#pragma once

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <string_view>
#include <vector>

#include "diagnostics.hpp"
#include "yaml_parts.hpp"
#include "yaml_value.hpp"

namespace rta::io {

/// Values that a document may hold: room for a million nodes.
inline constexpr std::size_t most_values = 16'000'000;
/// A task set nests five deep; a bound keeps hostile files from growing stacks.
inline constexpr std::size_t deepest_nesting = 16;
/// A guess; memory is taken only once it is written.
inline constexpr std::size_t bytes_a_value = 6;

/// What stands for nothing as a plain scalar.
[[nodiscard]] inline bool is_null(std::string_view text) {
  if (text.size() != 4) return text.empty() || text == "~";
  return text == "null" || text == "Null" || text == "NULL";
}

/// What one parse yields.
struct YamlPiece {
  YamlTexts texts = std::make_unique<std::pmr::monotonic_buffer_resource>();
  std::vector<Value> values;  // none: something was wrong
};

/// `part` stands in `depth` lists and mappings that are not seen. What is wrong is reported.
[[nodiscard]] YamlPiece read_piece(const YamlPart& part, std::size_t depth, Diagnostics& out);
/// The same, always by libyaml.
[[nodiscard]] YamlPiece read_by_libyaml(const YamlPart& part, std::size_t depth, Diagnostics& out);

}  // namespace rta::io
