// A number that grows by the same step for a while: what work is at whole instants that follow one another.
#pragma once

#include <algorithm>

#include "number.hpp"

namespace checker {

/// value + j slope for 0 <= j < steps; nothing is said of later ones. Invariant: slope >= 0, steps > 0.
struct Linear {
  Int value = 0;
  Int slope = 0;
  Int steps = 1;
  [[nodiscard]] constexpr Int at(Int j) const { return value + slope * j; }
};

/// The lesser of both, for as long as it is the same one.
[[nodiscard]] constexpr Linear lesser(const Linear& a, const Linear& b) {
  const bool first = a.value != b.value ? a.value < b.value : a.slope <= b.slope;
  const Linear& low = first ? a : b;
  const Linear& high = first ? b : a;
  Int steps = std::min(a.steps, b.steps);
  if (low.slope > high.slope) steps = std::min(steps, floor_div(high.value - low.value, low.slope - high.slope) + 1);
  return {low.value, low.slope, steps};
}

}  // namespace checker
