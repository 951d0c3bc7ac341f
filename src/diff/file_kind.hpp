// What a file is that was given where a result is expected.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/fields.hpp"

namespace rta::diff {

/// A file that is no JSON, or JSON Lines: what it is. Nothing for what may be a result.
[[nodiscard]] std::optional<std::string> other_format(std::string_view text);
/// A file of another kind, by its keys: what it is. Nothing for a result of `rta analyze` or `rta simulate`.
[[nodiscard]] std::optional<std::string> other_kind(const io::Fields& top);

}  // namespace rta::diff
