// What others put into the windows of a class when they were last asked: nodes after the same kernels ask for the same, round after round.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/path/system/tick.hpp"

namespace rta::analysis::path {

class OthersWork {
 public:
  static constexpr std::size_t most_pools = 4;
  /// All that the windows depend on, beside the others' ends.
  struct Question {
    std::uint64_t mask = 0;
    bool started = false;
    std::size_t share = SIZE_MAX;  // T10v's, with E; none where it takes nothing off
    Tick before;
    std::array<std::int64_t, most_pools> reach{};
    std::array<std::int64_t, most_pools> ready{};
    std::array<std::size_t, most_pools> turns{};
    friend bool operator==(const Question&, const Question&) = default;
  };
  struct Of {
    std::size_t version = SIZE_MAX;  // of its ends
    Tick work;
  };

  /// `nodes` of a class ask for what `others` do.
  OthersWork(std::size_t nodes, std::size_t others) : others_(others), asked_(std::bit_ceil(2 * nodes)), of_(asked_.size() * others) {}

  /// What is known of each of the others.
  [[nodiscard]] std::span<Of> of(const Question& question) {
    std::uint64_t hash = question.mask ^ question.share ^ static_cast<std::uint64_t>(question.before.count());
    for (std::size_t i = 0; i < most_pools; ++i) {
      hash = (hash ^ static_cast<std::uint64_t>(question.reach[i]) ^ question.turns[i]) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 32;
    }
    const std::size_t row = hash & (asked_.size() - 1);
    const std::span<Of> known = std::span(of_).subspan(row * others_, others_);
    if (asked_[row] != question) {
      asked_[row] = question;
      std::ranges::fill(known, Of{});
    }
    return known;
  }

 private:
  std::size_t others_;
  std::vector<Question> asked_;
  std::vector<Of> of_;
};

}  // namespace rta::analysis::path
