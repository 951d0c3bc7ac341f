// Counts that the self-checks need; each thread adds to its node's, no thread waits.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace workload {

inline void raise_to(std::atomic<std::int64_t>& largest, std::int64_t value) {
  std::int64_t seen = largest.load(std::memory_order_relaxed);
  while (value > seen && !largest.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

/// Measured lengths against the length that was asked for and the longest that it may be.
struct Achieved {
  std::atomic<std::int64_t> count{0};
  std::atomic<std::int64_t> over{0};  // longer than asked, by more than the tolerance
  std::atomic<std::int64_t> under{0};
  std::atomic<std::int64_t> largest{0};
  std::atomic<std::int64_t> sum{0};

  /// 2 % and 5 us: what a timer tick or one late clock reading costs.
  static std::int64_t tolerance(std::int64_t asked) { return asked / 50 + 5'000; }

  void add(std::int64_t asked, std::int64_t longest, std::int64_t measured) {
    count.fetch_add(1, std::memory_order_relaxed);
    sum.fetch_add(measured, std::memory_order_relaxed);
    if (measured > std::max(longest, asked + tolerance(asked))) over.fetch_add(1, std::memory_order_relaxed);
    if (measured < asked - tolerance(asked)) under.fetch_add(1, std::memory_order_relaxed);
    raise_to(largest, measured);
  }
};

/// How late something happened.
struct Lateness {
  std::atomic<std::int64_t> count{0};
  std::atomic<std::int64_t> late{0};  // by more than the limit
  std::atomic<std::int64_t> largest{0};
  std::atomic<std::int64_t> sum{0};

  void add(std::int64_t lateness, std::int64_t limit) {
    count.fetch_add(1, std::memory_order_relaxed);
    sum.fetch_add(lateness, std::memory_order_relaxed);
    if (lateness > limit) late.fetch_add(1, std::memory_order_relaxed);
    raise_to(largest, lateness);
  }
};

}  // namespace workload
