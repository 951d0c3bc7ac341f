// T16 under GEL with the window that begins where all processors became busy.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "analysis/hard/windows.hpp"

namespace rta::analysis::hard {

class BusyWindow {
 public:
  /// `F`: the bounds of all tasks, proven or to be proven at once; `terms`: how many terms of sums may be spent, and are.
  BusyWindow(std::span<const Task> tasks, std::uint32_t processors, std::span<const Time> F, std::size_t& terms)
      : tasks_(tasks), m_(processors), F_(F), terms_(terms), work_(tasks.size()) {}

  /// Whether no job of task k takes longer than x, whenever before its release the processors became busy.
  [[nodiscard]] bool allows(std::size_t k, Time x);
  /// A small x up to `most`, which is allowed, that is allowed too.
  [[nodiscard]] Time least(std::size_t k, Time most);
  /// How long before its release the processors may have been busy and a job of k still wait for more than `wait`; `never`: for ever.
  [[nodiscard]] std::int64_t horizon(std::size_t k, std::int64_t wait) const;
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  /// The work in the window of a job of k, up to x after its release, when the processors became busy A before it, `first` <= A < `last`.
  [[nodiscard]] std::span<const Work> work(std::size_t k, std::int64_t x, std::int64_t first, std::int64_t last);

 private:
  /// By how much a job of i may be released after one of k and still go before it; of k itself, how long before.
  [[nodiscard]] std::int64_t ahead(std::size_t i, std::size_t k) const;
  [[nodiscard]] bool allows_from(std::size_t k, std::int64_t x, std::int64_t first, std::int64_t last);

  std::span<const Task> tasks_;
  std::uint32_t m_;
  std::span<const Time> F_;
  std::size_t& terms_;
  std::vector<Work> work_;
  std::vector<std::int64_t> scratch_;
};

}  // namespace rta::analysis::hard
