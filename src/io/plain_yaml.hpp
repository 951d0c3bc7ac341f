// The layout that task-set files mostly have, read without libyaml.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "yaml_parts.hpp"
#include "yaml_value.hpp"

namespace rta::io {

/// The values of a text that consists of block lists and mappings of single lines: `key:` with a block below it, `key: value`, `- value`,
/// `- key: …` and comments on lines of their own, where a value is plain or a flow mapping or list of such. They are what libyaml reads.
/// Nothing for any other text, right or wrong. `part` stands in `depth` lists and mappings that are not seen.
[[nodiscard]] std::optional<std::vector<Value>> read_plain(const YamlPart& part, std::size_t depth);

}  // namespace rta::io
