// T10g: bounds up to full load on preemptive GEL pools, whose nodes are sporadic with release jitter A_u.
#pragma once

#include <cstdint>
#include <vector>

#include "path_jitter.hpp"
#include "path_ticks.hpp"

namespace rta::analysis::path {

/// One GEL pool loaded to at most its capacity, with points per DAG or per node.
class LatePool {
 public:
  LatePool(const Ticks& ticks, std::size_t pool);

  /// T1's carry by count (T1c), ticks of the pool: what may be left of jobs when fewer than ceil(U) processors were busy.
  [[nodiscard]] std::int64_t carry(const std::vector<std::vector<std::int64_t>>& F) const;
  /// sum of C_u max(0, 1 - (Y_u - Y_v + A_v - A_u)/T_u), ticks of the pool, for node v of class k that is ready by A_v, ns.
  [[nodiscard]] std::int64_t demand(std::size_t k, std::size_t v, std::int64_t A_v, const std::vector<std::vector<std::int64_t>>& A) const;

 private:
  [[nodiscard]] std::int64_t point(std::size_t k, std::size_t v) const {
    return by_node_ ? ticks_.classes[k].point[v] : ticks_.classes[k].Y;
  }

  const Ticks& ticks_;
  std::size_t pool_;
  bool by_node_;
  JitterPool jitter_;                              // for its carry
  std::vector<std::vector<std::uint32_t>> nodes_;  // class -> its nodes with work on the pool
};

}  // namespace rta::analysis::path
