// Whole lengths with an exact total utilization.
#pragma once

#include <cstdint>
#include <span>

#include "rta/generate/random.hpp"

namespace rta::generate {

/// One task: its length x in whole ns may be anything in [low, high]; it loads its pool by k x / T (k = 1 on a CPU, B H on a GPU).
struct Load {
  std::int64_t k = 1;
  std::int64_t T = 1;  // below 2^47 ns
  std::int64_t low = 1;
  std::int64_t high = 1;  // k high / T below 2^19
  std::int64_t x = 1;
};

/// Corrects the lengths by the few ns that rounding cost, so that the total sum k x / T is exact: never above `target`, and no x < high
/// could grow by 1 ns without passing it. Decided in integers. The correction starts at load `first` and goes around.
/// False, with the lengths unspecified, when the ranges do not reach the target: the least total is above it, or the largest is below it
/// by more than 1 ns of every load. Requires target >= 0 and below 2^19.
[[nodiscard]] bool make_total_exact(std::span<Load> loads, const Fraction& target, std::size_t first = 0);

}  // namespace rta::generate
