// GEL with a priority point per node: what may run while a path waits on such a pool (T10n).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/path/path_ticks.hpp"

namespace rta::analysis::path {

/// The nodes q that a path may wait for, as far as they decide lim(y) = max over q of min(F_q, Y_q - y): F rises and Y falls from one to
/// the next.
class LastStarts {
 public:
  void add(std::int64_t F, std::int64_t Y);
  void add(const LastStarts& other);
  [[nodiscard]] bool empty() const { return points_.empty(); }
  /// The latest release, from that of the job in question, of a job whose node with relative point `y` may run while some q waits.
  [[nodiscard]] std::int64_t lim(std::int64_t y) const;

 private:
  struct Point {
    std::int64_t F = 0;
    std::int64_t Y = 0;
  };
  std::vector<Point> points_;
};

/// T10n's count of jobs of node u of the path's own DAG, given lim_u.
[[nodiscard]] inline std::int64_t own_jobs(std::int64_t lim, std::int64_t F, std::int64_t T, bool strict_descendant) {
  const std::int64_t now = lim >= 0 && !strict_descendant ? 1 : 0;
  const std::int64_t later = lim >= 0 ? lim / T : 0;
  return now + jobs_in(F + std::min(lim, -T), T) + later;
}

/// One pool ordered by node.
class PoolByNode {
 public:
  PoolByNode(const Ticks& ticks, std::size_t pool);

  /// T10n: the waiting on the pool of paths that end in each node of class k; 0 where they do not visit it. `F` per class and node.
  [[nodiscard]] std::vector<Tick> waiting(std::size_t k, const std::vector<std::vector<std::int64_t>>& F) const;

 private:
  const Ticks& ticks_;
  std::size_t pool_;
  std::vector<std::vector<std::uint32_t>> nodes_;       // class -> its nodes with work on the pool
  std::vector<std::vector<std::vector<bool>>> strict_;  // class, node v -> whether nodes_[i] is a strict descendant of v
};

}  // namespace rta::analysis::path
