// `first_above` for many questions to one list, in a step or two each.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rta::analysis::path {

/// Parts of equal width, about two per value, and what is below each. Values that crowd cost a binary search among themselves.
class RankIndex {
 public:
  /// `sorted`: increasing, without repeats, at least one; kept as a reference.
  void set(std::span<const std::int64_t> sorted) {
    sorted_ = sorted;
    const std::uint64_t width = offset(sorted.back());
    const auto parts_bits = static_cast<unsigned>(std::bit_width(2 * sorted.size()));
    const auto width_bits = static_cast<unsigned>(std::bit_width(width));
    shift_ = width_bits > parts_bits ? width_bits - parts_bits : 0;
    below_.assign((width >> shift_) + 2, sorted.size());
    std::size_t part = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      for (const std::uint64_t last = offset(sorted[i]) >> shift_; part <= last; ++part) below_[part] = i;
    }
  }

  /// The place of the first that is above x.
  [[nodiscard]] std::size_t first_above(std::int64_t x) const {
    if (x < sorted_.front()) return 0;
    if (x >= sorted_.back()) return sorted_.size();
    const std::uint64_t part = offset(x) >> shift_;
    const auto at = [&](std::uint64_t p) { return sorted_.begin() + static_cast<std::ptrdiff_t>(below_[p]); };
    return static_cast<std::size_t>(std::upper_bound(at(part), at(part + 1), x) - sorted_.begin());
  }

 private:
  /// Above the first; any two 64-bit numbers.
  [[nodiscard]] std::uint64_t offset(std::int64_t x) const {
    return static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(sorted_.front());
  }

  std::span<const std::int64_t> sorted_;
  unsigned shift_ = 0;
  std::vector<std::size_t> below_;  // part -> values before its first
};

}  // namespace rta::analysis::path
