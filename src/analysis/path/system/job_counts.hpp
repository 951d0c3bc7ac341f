// What T10n counts of a DAG's nodes on a pool where no order tells them apart.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// The sum of ceil((F_u + x)/T) C_u, x >= 0, for nodes with work; ns. All counts rise once in a period.
class JobCounts {
 public:
  void add(std::int64_t C, std::int64_t F, std::int64_t T) {
    const std::int64_t jobs = jobs_in(F, T);
    rises_.push_back({jobs * T - F, C});
    at_0_ += Wide{jobs} * C;
    F_ = std::max(F_, F);
  }
  /// To be called when all are there.
  void finish(std::int64_t T) {
    T_ = T;
    std::sort(rises_.begin(), rises_.end(), [](const Rise& a, const Rise& b) { return a.beyond < b.beyond; });
    std::int64_t sum = 0;
    for (Rise& rise : rises_) {
      const std::int64_t C = rise.before;
      rise.before = sum;
      sum += C;
    }
    V_ = sum;
  }

  [[nodiscard]] Wide at(std::int64_t x) const {
    const std::int64_t periods = x < T_ ? 0 : x / T_;
    const std::int64_t y = x - periods * T_;
    const auto after = std::partition_point(rises_.begin(), rises_.end(), [&](const Rise& rise) { return rise.beyond < y; });
    return at_0_ + Wide{periods} * V_ + (after == rises_.end() ? V_ : after->before);
  }
  [[nodiscard]] std::int64_t V() const { return V_; }
  [[nodiscard]] std::int64_t F() const { return F_; }

 private:
  struct Rise {
    std::int64_t beyond = 0;  // x, within the first period
    std::int64_t before = 0;  // the work of those that rise earlier
  };
  std::vector<Rise> rises_;
  std::int64_t T_ = 1;
  std::int64_t V_ = 0;
  std::int64_t F_ = 0;
  Wide at_0_ = 0;
};

}  // namespace rta::analysis::path
