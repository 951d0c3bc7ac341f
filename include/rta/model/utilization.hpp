// Exact sums of ratios: utilizations, and their comparison with a capacity.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta {

/// An exact sum of fractions work / period (dimensionless on a CPU, G-threads on a GPU).
/// Comparisons use a floating-point filter first and exact integers when it cannot tell.
class Utilization {
 public:
  /// Adds work / period. Requires work >= 0 and period > 0 (throws std::invalid_argument otherwise).
  void add(Wide work, Wide period);

  [[nodiscard]] std::strong_ordering compare(Wide capacity) const;
  /// Exact comparison with numerator / denominator. Requires denominator > 0.
  [[nodiscard]] std::strong_ordering compare(Wide numerator, Wide denominator) const;
  [[nodiscard]] Wide ceil() const;
  /// Smallest integer >= this * factor. Requires factor >= 0. Throws `Overflow` past 127 bits.
  [[nodiscard]] Wide ceil_times(Wide factor) const;
  /// Nearest double; for people and for search, never for a bound.
  [[nodiscard]] double approximate() const;
  /// The exact value, as `a/b` in lowest terms or as an integer.
  [[nodiscard]] std::string exact() const;

 private:
  struct Term {
    Wide period;
    Wide work;
  };
  // One term per distinct period, sorted by period.
  std::vector<Term> terms_;
};

}  // namespace rta
