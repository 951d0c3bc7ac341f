// Exact sums of ratios: utilizations, and their comparison with a capacity.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta {

/// An exact sum of fractions work / period (dimensionless on a CPU, G-threads on a GPU).
/// Comparisons use a floating-point filter first and exact integers when it cannot tell.
class Utilization {
 public:
  /// Adds work / period. Requires work >= 0 and period > 0 (throws `Defect` otherwise).
  void add(Wide work, Wide period);

  /// Makes room for that many distinct periods.
  void reserve(std::size_t periods) { terms_.reserve(periods); }

  [[nodiscard]] std::strong_ordering compare(Wide capacity) const;
  /// Exact comparison with numerator / denominator. Requires denominator > 0.
  [[nodiscard]] std::strong_ordering compare(Wide numerator, Wide denominator) const;
  [[nodiscard]] Wide ceil() const;
  /// Smallest integer >= this * factor. Requires factor >= 0. Throws `Overflow` past 126 bits.
  [[nodiscard]] Wide ceil_times(Wide factor) const;
  /// Nearest double, but for rounding errors; for people and for search, never for a bound.
  [[nodiscard]] double approximate() const { return sum_; }
  /// The exact value, as `a/b` in lowest terms or as an integer.
  [[nodiscard]] std::string exact() const;
  /// The value less `subtrahend`, for people: `17.25`, `52/3 (17.333333...)`, or the truncated decimal alone where the fraction is
  /// too long to read. Dots mean that digits follow.
  [[nodiscard]] std::string text(Wide subtrahend = 0) const;

 private:
  struct Term {
    Wide period;
    Wide work;
  };
  [[nodiscard]] double relative_error() const;

  std::vector<Term> terms_;  // in the order of addition; neighbours of equal period are merged
  double sum_ = 0;
  std::size_t additions_ = 0;
};

}  // namespace rta
