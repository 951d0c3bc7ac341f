// Which classes a round of T10n, T10a and T10v may leave out although ends on their pools have changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// On FIFO pools and preemptive GEL pools by DAG, what DAG d has to do for a node of class k is a function of how d's ends F lie to
/// releases x: the node's first one, -a or -min(b, Y_k - Y_d), and those every T_d after it. A node u counts in full for x <= F_u - e_u and
/// not at all for x >= F_u. So what its end is matters only where a release lies between F_u - e_u before and F_u after it has risen. With
/// release jitter jobs count for F_u > x alone, those every T_d after it from J earlier on. T30 also asks whether F_u <= T_d.
class Touched {
 public:
  explicit Touched(const Ticks& ticks);
  void begin_round();
  /// To be called when an end of class k has risen.
  void rises(std::size_t k, std::size_t v, std::int64_t from, std::int64_t to);
  /// Whether what class k reads may have changed since it was looked at in the round before. `reach`: its a or b, node * pools + local
  /// pool, ns; negative where no path to the node visits the pool.
  [[nodiscard]] bool is_due(std::size_t k, std::span<const std::int64_t> reach);

 private:
  static constexpr std::size_t most_rises = 8;  // of one class in a round, that are looked at one by one
  struct Rise {
    std::int64_t from = 0;
    std::int64_t to = 0;
  };
  struct Rises {
    std::vector<Rise> before;  // in the round before
    std::vector<Rise> now;
  };
  void set_points(std::size_t k, std::span<const std::int64_t> reach);
  [[nodiscard]] bool is_touched(std::size_t k, std::size_t d) const;
  [[nodiscard]] bool is_touched(std::size_t k, std::size_t d, const Rise& rise) const;

  const Ticks& ticks_;
  std::size_t round_ = 0;
  std::vector<bool> applies_;                                   // class -> all of its pools are such
  std::vector<std::vector<std::size_t>> neighbours_;            // class -> others that share a pool with it
  std::vector<Rises> rises_;                                    // class
  std::vector<bool> stale_;                                     // class -> whether its ends have changed since points_ were taken
  std::vector<std::vector<std::vector<std::int64_t>>> points_;  // class, local pool: a or b of all nodes
};

}  // namespace rta::analysis::path
