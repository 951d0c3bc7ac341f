// GEL with a priority point per node: what may run while a path waits on such a pool (T10n).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/path/system/late_jobs.hpp"
#include "analysis/path/system/relations.hpp"
#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// The nodes q that a path may wait for, as far as they decide lim(y) = max over q of min(F_q, Y_q - y): F rises and Y falls from one to
/// the next.
class LastStarts {
 public:
  void add(std::int64_t F, std::int64_t Y);
  void add(const LastStarts& other);
  [[nodiscard]] bool empty() const { return points_.empty(); }
  bool operator==(const LastStarts&) const = default;
  /// The latest release, from that of the job in question, of a job whose node with relative point `y` may run while some q waits.
  [[nodiscard]] std::int64_t lim(std::int64_t y) const;

 private:
  struct Point {
    std::int64_t F = 0;
    std::int64_t Y = 0;
    bool operator==(const Point&) const = default;
  };
  std::vector<Point> points_;
};

/// T10n's count of jobs of node u of the path's own DAG, given lim_u.
[[nodiscard]] inline std::int64_t own_jobs(std::int64_t lim, std::int64_t F, std::int64_t T, bool strict_descendant) {
  const std::int64_t now = lim >= 0 && !strict_descendant ? 1 : 0;
  const std::int64_t later = lim >= 0 ? lim / T : 0;
  return now + jobs_in(F + std::min(lim, -T), T) + later;
}

/// One pool ordered by node (T10n, T12).
class PoolByNode {
 public:
  PoolByNode(const Ticks& ticks, std::size_t pool);

  /// To be called when ends of class k have changed, and once before all else. `F` per node of the class.
  void changed(std::size_t k, std::span<const std::int64_t> F);
  /// T10n: the waiting on the pool of paths that end in each node of class k; 0 where they do not visit it. Takes time in what has changed
  /// since it was asked last.
  [[nodiscard]] std::vector<Tick> waiting(std::size_t k, std::span<const std::int64_t> F);

 private:
  struct Node {
    std::int64_t F = 0;
    std::int64_t point = 0;
    std::int64_t T = 0;
    std::int64_t J = 0;
    Tick vol;  // of all copies
  };
  struct Change {
    std::size_t node = 0;  // in nodes_
    std::int64_t from = 0;
    std::int64_t to = 0;
  };
  struct Waiting {                   // of one class
    std::vector<LastStarts> starts;  // node
    std::vector<Tick> others;        // node -> what nodes of other DAGs do
    std::size_t seen = 0;            // changes up to this one are in it
  };
  [[nodiscard]] static Tick work(const Node& node, std::int64_t F, const LastStarts& starts) {
    return late_jobs_in(F + starts.lim(node.point), node.T, node.J) * node.vol;
  }
  [[nodiscard]] bool is_of(std::size_t k, std::size_t node) const { return first_[k] <= node && node < first_[k + 1]; }
  [[nodiscard]] std::vector<bool> set_starts(std::size_t k, std::span<const std::int64_t> F);
  [[nodiscard]] Tick of_others(std::size_t k, const LastStarts& starts) const;
  [[nodiscard]] Tick changes_of_others(std::size_t k, const LastStarts& starts, std::size_t since) const;
  [[nodiscard]] Tick of_own(std::size_t k, std::size_t v, const LastStarts& starts) const;

  const Ticks& ticks_;
  std::size_t pool_;
  std::vector<Node> nodes_;                   // those with work on the pool, class by class
  std::vector<std::uint32_t> node_of_class_;  // the same as nodes of their classes
  std::vector<std::size_t> first_;            // class -> its first one in nodes_
  std::vector<Relations> below_;              // class, node v -> those of the class's that are strict descendants of v
  std::vector<Change> changes_;               // the last ones, after `dropped_` others
  std::size_t dropped_ = 0;
  std::vector<Waiting> waiting_;  // class
};

}  // namespace rta::analysis::path
