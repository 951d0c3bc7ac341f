// What T36 knows of all schedules in which the same jobs have been dispatched.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rta::analysis::periodic {

/// The set of dispatched jobs: all before `base` and some after it.
struct Cut {
  std::int64_t base = 0;
  std::vector<std::uint64_t> taken = {};  // bit i: job base + i; the last word is not 0

  [[nodiscard]] bool has(std::int64_t job) const {
    if (job < base) return true;
    const auto i = static_cast<std::size_t>(job - base);
    return i / 64 < taken.size() && (taken[i / 64] >> (i % 64) & 1U) != 0;
  }
  void set(std::int64_t job) {
    const auto i = static_cast<std::size_t>(job - base);
    if (i / 64 >= taken.size()) taken.resize(i / 64 + 1);
    taken[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  /// `base` becomes the first that is not taken.
  void settle() {
    while (!taken.empty()) {
      const int ones = std::countr_one(taken.front());
      if (ones == 0) break;
      base += ones;
      if (ones == 64) {
        taken.erase(taken.begin());
        continue;
      }
      for (std::size_t w = 0; w < taken.size(); ++w) {
        taken[w] >>= ones;
        if (w + 1 < taken.size()) taken[w] |= taken[w + 1] << (64 - ones);
      }
      while (!taken.empty() && taken.back() == 0) taken.pop_back();
      break;
    }
  }
  bool operator==(const Cut&) const = default;
};

struct Interval {
  std::int64_t low = 0, high = 0;
};

/// What is known of all schedules with one cut.
struct State {
  std::size_t number = 0;  // of all that were found
  struct Dispatched {
    std::int64_t job = 0;
    Interval end;
  };
  Cut cut = {};
  std::vector<Interval> free = {};  // of each pool's servers, the first to be done with what was dispatched first; of kernels in turn: from
                                    // when the next one may be ready to when all are done
  std::vector<std::int64_t> ended = {};   // pool: what is not listed has ended by then
  std::vector<std::int64_t> queued = {};  // pool, FIFO: no job that is left was ready before
  std::vector<Dispatched> listed = {};    // jobs for which others wait, and perhaps run; in the order of the sequence

  /// Not what vectors keep in reserve.
  [[nodiscard]] std::size_t bytes() const {
    return sizeof(State) + cut.taken.size() * sizeof(std::uint64_t) + free.size() * sizeof(Interval) + listed.size() * sizeof(Dispatched) +
           (ended.size() + queued.size()) * sizeof(std::int64_t);
  }
  [[nodiscard]] const Dispatched* find(std::int64_t job) const {
    const auto at = std::ranges::lower_bound(listed, job, {}, &Dispatched::job);
    return at != listed.end() && at->job == job ? &*at : nullptr;
  }
};

}  // namespace rta::analysis::periodic
