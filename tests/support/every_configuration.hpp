// What one SM can hold, by trying every configuration: an oracle for small numbers of G-threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta::test {

/// A kernel's block on an SM; blocks of as many G-threads weigh the same.
struct SmallBlock {
  std::int64_t threads = 1;
  Wide weight = 0;  // in 1/unit
  Wide work = 0;    // counted work: weight times length
};

struct EveryConfiguration {
  Wide least_blocking = 0;  // the least sum of weights of a blocking configuration: a unit that makes the weights valid
  Wide K = 0;               // the most work in a configuration
  Wide beside = 0;          // K': in one that is not blocking

  EveryConfiguration(const std::vector<SmallBlock>& all, std::int64_t threads) {
    std::vector<SmallBlock> blocks;  // of each size the one of most work
    for (const SmallBlock& block : all) {
      const auto same = std::ranges::find(blocks, block.threads, &SmallBlock::threads);
      if (same == blocks.end()) {
        blocks.push_back(block);
      } else {
        same->work = std::max(same->work, block.work);
      }
    }
    std::int64_t largest = 0;
    for (const SmallBlock& block : blocks) largest = std::max(largest, block.threads);
    bool some = false;
    const std::function<void(std::size_t, std::int64_t, Wide, Wide)> from = [&](std::size_t i, std::int64_t left, Wide weight, Wide work) {
      if (i < blocks.size()) {
        for (; left >= 0; left -= blocks[i].threads, weight += blocks[i].weight, work += blocks[i].work) from(i + 1, left, weight, work);
        return;
      }
      K = std::max(K, work);
      if (left >= largest) {
        beside = std::max(beside, work);
      } else {
        least_blocking = some ? std::min(least_blocking, weight) : weight;
        some = true;
      }
    };
    from(0, threads, 0, 0);
  }

  /// T6's carry (a).
  [[nodiscard]] Wide carry(std::uint32_t sms) const { return (Wide{sms} - 1) * K + beside; }
};

}  // namespace rta::test
