// Colours of things that there may be many of: DAGs, operations, analyses.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "colours.hpp"

namespace rta::report {

struct SeriesColour {
  std::string fill, text;
};

/// A colour of the palette (0), darker (1) or lighter (2).
[[nodiscard]] inline SeriesColour shade(const Colour& base, std::size_t round) {
  if (round == 0) return {std::string(base.fill), std::string(base.text)};
  std::string fill = "#";
  for (std::size_t part = 0; part < 3; ++part) {
    const int value = std::stoi(std::string(base.fill.substr(1 + 2 * part, 2)), nullptr, 16);
    fill += fmt::format("{:02x}", round == 1 ? value * 3 / 5 : value + (255 - value) / 2);
  }
  return {fill, round == 1 ? "#ffffff" : "#000000"};
}

/// Of areas. No two of the first 24 are the same. The palette begins elsewhere than pools do, as pools and DAGs stand side by side.
[[nodiscard]] inline SeriesColour series_colour(std::size_t index) { return shade(pool_colour(index + 2), index / palette.size() % 3); }

/// Of lines on white: without yellow, the darkest first. No two of the first 14 are the same.
[[nodiscard]] inline std::string curve_colour(std::size_t index) {
  constexpr std::array<std::size_t, 7> order{5, 6, 2, 3, 0, 1, 7};
  return shade(pool_colour(order[index % order.size()]), index / order.size() % 2).fill;
}

/// Lengths of lines and gaps, from the first curve's solid line on: where curves coincide, those below show through the gaps of the last.
[[nodiscard]] inline std::vector<int> curve_dashes(std::size_t index) {
  const std::array<std::vector<int>, 4> dashes{{{}, {9, 4}, {3, 4}, {9, 4, 3, 4}}};
  return dashes[index % dashes.size()];
}

}  // namespace rta::report
