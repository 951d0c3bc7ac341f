// T10j: what a node may find ahead of it on a FIFO pool whose nodes are sporadic with release jitter A_u.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/path/system/ticks.hpp"
#include "rta/model/utilization.hpp"

namespace rta::analysis::path {

/// V of T6, in 1/unit of a GPU's pool: the largest sum of weights of whole blocks that is below U_w. Sums are multiples of the weights'
/// greatest common divisor.
class WholeBlocks {
 public:
  void add(const Node& node) {
    if (node.s == 0) return;
    const Wide e = node.e.count();
    whole_ = whole_ && e > 0 && node.s % e == 0;
    if (whole_) gamma_ = gcd(gamma_, node.s / e);
  }
  [[nodiscard]] Wide below(const Utilization& U) const {
    return whole_ && gamma_ > 0 ? gamma_ * (ceil_div(U.ceil(), gamma_) - 1) : U.ceil();
  }

 private:
  bool whole_ = true;
  Wide gamma_ = 0;
};

/// One pool loaded to at most its capacity. All results in ticks.
class JitterPool {
 public:
  JitterPool(const Ticks& ticks, std::size_t pool);

  /// The work of pieces that may be unfinished when the pool was last less than busy with U.
  [[nodiscard]] Wide carry(const std::vector<std::vector<std::int64_t>>& F) const {
    if (unit_weights_) return carry_of_unit_weights(F);
    const Wide counted = carry_of_kernels(F);
    return resident_ ? std::min(*resident_, counted) : counted;
  }
  /// The carry is T6's (a), less than what may be left of unfinished jobs when the GPU was last less than busy with U.
  [[nodiscard]] bool is_resident(const std::vector<std::vector<std::int64_t>>& F) const {
    return resident_ && *resident_ < carry_of_kernels(F);
  }

  /// carry + sum of vol_u (1 + A_u/T_u), for F and A per class and node in ns.
  [[nodiscard]] Tick backlog(const std::vector<std::vector<std::int64_t>>& F, const std::vector<std::vector<std::int64_t>>& A) const;

 private:
  struct Use {
    std::size_t c = 0;
    std::size_t u = 0;
    std::int64_t pieces = 0;  // per job
  };
  [[nodiscard]] Wide carry_of_unit_weights(const std::vector<std::vector<std::int64_t>>& F) const;
  [[nodiscard]] Wide carry_of_kernels(const std::vector<std::vector<std::int64_t>>& F) const;

  const Ticks& ticks_;
  bool unit_weights_ = true;
  std::vector<Use> uses_;         // longest e first
  Wide ceil_U_ = 0;               // unit weights
  std::vector<Wide> lambda_V_;    // kernels: V times the e of uses_[i], ticks
  std::optional<Wide> resident_;  // kernels: (g-1) K + K', ticks
};

}  // namespace rta::analysis::path
