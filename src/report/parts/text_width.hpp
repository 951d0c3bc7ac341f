// How much room texts take in pictures that no browser has laid out yet.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rta::report {

/// Characters of UTF-8 text.
[[nodiscard]] std::size_t letters(std::string_view text);
/// How wide a text of that size is at most, in pixels: a sans-serif letter, digit or sign on average takes less.
[[nodiscard]] double text_width(std::string_view text, double size);
/// Cut, with an ellipsis, so that it fits.
[[nodiscard]] std::string fitting_text(std::string_view text, double room, double size);

}  // namespace rta::report
