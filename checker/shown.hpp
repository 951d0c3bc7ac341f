// What a terminal gets: names and messages may come from anywhere.
#pragma once

#include <string>
#include <string_view>

namespace checker {

/// The text on one line, with what a terminal would obey (control characters, marks that turn the direction of text) by its number, as
/// \u001b, and bytes that are no UTF-8 as \xff.
std::string shown(std::string_view text);

}  // namespace checker
