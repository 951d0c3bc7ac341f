// How numbers are distributed, in memory that does not grow with how many there are.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta {

/// Counts of numbers in cells (log-linear, as HdrHistogram's): 2^bits cells for each power of two, so that a cell is at most 2^-bits of its
/// numbers wide; numbers below 2^(bits + 1) have cells of their own. Count, sum and maximum are exact. Memory is taken for those powers of
/// two that occur, and only once there are many numbers: before, for the numbers, and for none while they fit beside the sums.
template <int bits>
class Histogram {
 public:
  void add(std::uint64_t value) {
    ++count_;
    sum_ += static_cast<Wide>(value);
    max_ = std::max(max_, value);
    if (waiting_ == kept_.size()) spread();
    const std::uint32_t octave = octave_of(value);
    kept_[waiting_++] = static_cast<std::uint16_t>(octave * per_octave + cell_of(value, octave));
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
    std::vector<std::uint16_t> kept = aside_;
    kept.insert(kept.end(), kept_.begin(), kept_.begin() + waiting_);
    std::sort(kept.begin(), kept.end());
    auto next = kept.cbegin();
    const auto end = kept.cend();
    Wide seen = 0;
    // The kept cells before `to`, until the rank is reached.
    const auto reaches = [&](std::uint32_t to) {
      for (; next != end && *next < to; ++next) {
        if (++seen >= rank) return true;
      }
      return false;
    };
    for (const Octave& octave : octaves_) {
      for (std::uint32_t cell = 0; cell < per_octave; ++cell) {
        const std::uint32_t place = octave.number * per_octave + cell;
        if (reaches(place)) return std::min(largest_in(*next), max_);
        seen += static_cast<Wide>(octave.counts[cell]);
        if (seen >= rank) return std::min(largest_in(place), max_);
      }
    }
    return reaches(cells) ? std::min(largest_in(*next), max_) : max_;
  }

  /// Forgets all numbers, and keeps the memory.
  void clear() {
    for (Octave& octave : octaves_) octave.counts.fill(0);
    count_ = 0;
    sum_ = 0;
    max_ = 0;
    aside_.clear();
    waiting_ = 0;
    kept_.fill(0);
  }

  bool operator==(const Histogram&) const = default;

 private:
  static constexpr std::uint32_t per_octave = 1U << bits;
  static constexpr std::uint32_t cells = (65 - bits) * per_octave;
  static_assert(cells <= 1U << 16U);
  struct Octave {
    std::uint32_t number = 0;
    std::array<std::uint64_t, per_octave> counts{};
    bool operator==(const Octave&) const = default;
  };

  // Octave 0 holds the numbers below 2^bits, octave k >= 1 those in [2^(k + bits - 1), 2^(k + bits)).
  static std::uint32_t octave_of(std::uint64_t value) {
    return value < per_octave ? 0 : static_cast<std::uint32_t>(64 - __builtin_clzll(value) - bits);
  }
  static std::uint32_t cell_of(std::uint64_t value, std::uint32_t octave) {
    return octave == 0 ? static_cast<std::uint32_t>(value) : static_cast<std::uint32_t>(value >> (octave - 1)) - per_octave;
  }
  static std::uint64_t largest_in(std::uint32_t place) {
    const std::uint32_t octave = place / per_octave;
    const std::uint32_t cell = place % per_octave;
    // Of the last cell of all 2^64, which is 0, less 1.
    return octave == 0 ? cell : ((std::uint64_t{cell} + per_octave + 1) << (octave - 1)) - 1;
  }
  // Makes room for the next cells.
  void spread() {
    const std::span<const std::uint16_t> kept(kept_.data(), waiting_);
    if (octaves_.empty() && aside_.size() + kept.size() <= per_octave) {
      aside_.insert(aside_.end(), kept.begin(), kept.end());
    } else {
      count(aside_);
      aside_ = {};
      count(kept);
    }
    waiting_ = 0;
  }
  // Where they belong.
  void count(std::span<const std::uint16_t> cells_of_numbers) {
    Octave* octave = nullptr;  // mostly the same as before
    for (const std::uint32_t cell : cells_of_numbers) {
      const std::uint32_t number = cell / per_octave;
      if (octave == nullptr || octave->number != number) octave = &numbered(number);
      ++octave->counts[cell % per_octave];
    }
  }
  Octave& numbered(std::uint32_t number) {
    const auto at =
        std::lower_bound(octaves_.begin(), octaves_.end(), number, [](const Octave& o, std::uint32_t n) { return o.number < n; });
    if (at != octaves_.end() && at->number == number) return *at;
    return *octaves_.insert(at, Octave{number, {}});
  }

  std::uint64_t count_ = 0;
  std::uint64_t max_ = 0;
  Wide sum_ = 0;
  std::vector<Octave> octaves_;       // by number
  std::vector<std::uint16_t> aside_;  // cells of the first numbers, while there are no octaves
  std::uint16_t waiting_ = 0;
  std::array<std::uint16_t, 15> kept_{};  // cells of the last numbers, until they are so many
};

}  // namespace rta
