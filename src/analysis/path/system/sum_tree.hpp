// Sums of the first of many numbers that change one by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "analysis/path/system/tick.hpp"

namespace rta::analysis::path {

/// Each level has the sums of `width` neighbours in the level below: a number changes in a step per level, and sums are of neighbours,
/// which take few cache lines.
class SumTree {
 public:
  static constexpr std::size_t width = 64;

  /// So many zeros.
  void reset(std::size_t size) {
    std::size_t levels = 0;
    for (;; size = (size + width - 1) / width) {
      if (levels == sums_.size()) sums_.emplace_back();
      sums_[levels++].assign(size, Tick::zero());
      if (size <= 1) break;
    }
    sums_.resize(levels);
  }

  void add(std::size_t i, Tick x) {
    for (auto& level : sums_) {
      level[i] += x;
      i /= width;
    }
  }

  [[nodiscard]] Tick at(std::size_t i) const { return sums_.front()[i]; }

  /// Of those before i.
  [[nodiscard]] Tick before(std::size_t i) const {
    Tick sum;
    for (const auto& level : sums_) {
      for (std::size_t first = i / width * width; first < i; ++first) sum += level[first];
      i /= width;
    }
    return sum;
  }

 private:
  std::vector<std::vector<Tick>> sums_;  // the numbers themselves, then level by level
};

}  // namespace rta::analysis::path
