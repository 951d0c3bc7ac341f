// Characters in UTF-8 (RFC 3629).
#pragma once

#include <cstddef>
#include <string_view>

namespace rta::io {

/// Length of the character at `at`; 0 where there is none.
[[nodiscard]] std::size_t character_length(std::string_view text, std::size_t at);
/// The code point of a character.
[[nodiscard]] char32_t code_point(std::string_view character);

}  // namespace rta::io
