// What becomes of what a reader may find in a file: the table of the documents, and the one that the readers ask.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "rta/convert/kind.hpp"

namespace rta::convert {

enum class Fate : std::uint8_t {
  read,
  aside,  // it says nothing of times
  told,   // left out, and said so
  refused,
};

struct Reading {
  std::string_view part;   // of a file of that kind
  std::string_view names;  // of things in it, as the file spells them, `, ` between several; "*": every other one
  Fate fate = Fate::read;
  std::string_view means;  // what it becomes, what leaving it out does to bounds, or why it is refused
};

/// In the order of the documents.
[[nodiscard]] std::span<const Reading> readings(Kind kind);
/// The row of a thing: each part has one for every other name.
[[nodiscard]] const Reading& reading(Kind kind, std::string_view part, std::string_view name);
/// All rows as the tables of docs/guide-convert.md, in Markdown.
[[nodiscard]] std::string reading_tables();

}  // namespace rta::convert
