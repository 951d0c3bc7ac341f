// T10g: bounds up to full load on preemptive GEL pools, whose nodes are sporadic with release jitter A_u.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/path/late/jitter.hpp"
#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// One GEL pool loaded to at most its capacity, with points per DAG or per node.
class LatePool {
 public:
  LatePool(const Ticks& ticks, std::size_t pool);

  /// T1's carry by count (T1c): what may be left of jobs when fewer than ceil(U) processors were busy.
  [[nodiscard]] Tick carry(const std::vector<std::vector<std::int64_t>>& F) const;
  /// Prepares `demand` for nodes that are ready by A, ns.
  void set_ready_times(const std::vector<std::vector<std::int64_t>>& A);
  /// sum of C_u max(0, 1 - (Y_u - Y_v + A_v - A_u)/T_u) for node v of class k that is ready by A_v, ns.
  /// `unbounded` where that is too much to add to.
  [[nodiscard]] Tick demand(std::size_t k, std::size_t v, std::int64_t A_v) const;

 private:
  /// Nodes of one period. Each term falls linearly as A_v - Y_v rises, until it is 0 at the node's `end`; sums are over a node and those
  /// that end later.
  struct Falling {
    struct Node {
      std::size_t c = 0;
      std::uint32_t u = 0;
      std::int64_t end = 0;  // ns
      Wide work = 0;         // of all copies, ticks
      Wide sum = 0;          // of work, ticks
      Wide product = 0;      // sum of work x end, ticks x ns
    };
    std::int64_t T = 0;
    std::vector<Node> nodes;  // by end
  };

  [[nodiscard]] std::int64_t point(std::size_t k, std::size_t v) const {
    return by_node_ ? ticks_.classes[k].point[v] : ticks_.classes[k].Y;
  }

  const Ticks& ticks_;
  std::size_t pool_;
  bool by_node_;
  JitterPool jitter_;  // for its carry
  std::vector<Falling> falling_;
};

}  // namespace rta::analysis::path
