// What a file is that was given where a task set is expected.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "yaml_tree.hpp"

namespace rta::io {

/// A file in another format: what it is, and what reads it. Nothing for text that may be YAML.
[[nodiscard]] std::optional<std::string> foreign_format(std::string_view text);

/// A YAML file of another kind, by its keys: what it is, and the command for it. Nothing for what may be a task set.
[[nodiscard]] std::optional<std::string> other_kind(const Value& root);

}  // namespace rta::io
