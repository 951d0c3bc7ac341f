// How numbers are distributed, in memory that does not grow with how many there are.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta {

/// Counts of numbers in cells (log-linear, as HdrHistogram's): 2^bits cells for each power of two, so that a cell is at most 2^-bits of its
/// numbers wide; numbers below 2^(bits + 1) have cells of their own. Count, sum and maximum are exact. Memory is taken for those powers of
/// two that occur.
template <int bits>
class Histogram {
 public:
  void add(std::uint64_t value) {
    ++count_;
    sum_ += static_cast<Wide>(value);
    max_ = std::max(max_, value);
    const std::uint32_t octave = octave_of(value);
    if (place_[octave] == 0) open(octave);
    ++cells_[(place_[octave] - 1) * per_octave + cell_of(value, octave)];
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The rest requires count() > 0.
  [[nodiscard]] std::uint64_t max() const { return max_; }
  /// Rounded to the nearest double.
  [[nodiscard]] double mean() const { return static_cast<double>(sum_) / static_cast<double>(count_); }
  /// At least `ppm` millionths of all numbers are <= this, which is at least the least such number and at most 2^-bits of it above it.
  /// 0 < ppm <= 1'000'000.
  [[nodiscard]] std::uint64_t quantile(std::uint32_t ppm) const {
    const Wide rank = ceil_div(static_cast<Wide>(count_) * ppm, 1'000'000);
    Wide seen = 0;
    for (std::uint32_t octave = 0; octave < place_.size(); ++octave) {
      if (place_[octave] == 0) continue;
      for (std::uint32_t cell = 0; cell < per_octave; ++cell) {
        seen += static_cast<Wide>(cells_[(place_[octave] - 1) * per_octave + cell]);
        if (seen >= rank) return std::min(largest_in(octave, cell), max_);
      }
    }
    return max_;
  }

  /// Forgets all numbers, and keeps the memory.
  void clear() {
    std::fill(cells_.begin(), cells_.end(), 0);
    count_ = 0;
    sum_ = 0;
    max_ = 0;
  }

  bool operator==(const Histogram&) const = default;

 private:
  static constexpr std::uint32_t per_octave = 1U << bits;

  // Octave 0 holds the numbers below 2^bits, octave k >= 1 those in [2^(k + bits - 1), 2^(k + bits)).
  static std::uint32_t octave_of(std::uint64_t value) {
    return value < per_octave ? 0 : static_cast<std::uint32_t>(64 - __builtin_clzll(value) - bits);
  }
  static std::uint32_t cell_of(std::uint64_t value, std::uint32_t octave) {
    return octave == 0 ? static_cast<std::uint32_t>(value) : static_cast<std::uint32_t>(value >> (octave - 1)) - per_octave;
  }
  static std::uint64_t largest_in(std::uint32_t octave, std::uint32_t cell) {
    // Of the last cell of all 2^64, which is 0, less 1.
    return octave == 0 ? cell : ((std::uint64_t{cell} + per_octave + 1) << (octave - 1)) - 1;
  }
  void open(std::uint32_t octave) {
    cells_.resize(cells_.size() + per_octave);
    place_[octave] = static_cast<std::uint8_t>(cells_.size() / per_octave);
  }

  std::uint64_t count_ = 0;
  Wide sum_ = 0;
  std::uint64_t max_ = 0;
  std::array<std::uint8_t, 65 - bits> place_{};  // where an octave's cells are, from 1; 0: none yet
  std::vector<std::uint64_t> cells_;
};

}  // namespace rta
