// Characters that turn the direction of text: what stands beside a name that has them would read as something else.
#pragma once

#include <string>
#include <string_view>

namespace rta::report {

/// The text with these marks by their numbers: `U+202E`.
[[nodiscard]] std::string with_visible_marks(std::string_view text);

}  // namespace rta::report
