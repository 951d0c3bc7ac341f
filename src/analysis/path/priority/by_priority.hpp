// Fixed priorities: what may run while a path waits on such a pool, and what may block it where nothing is preempted (T11, T11b), or no
// block of a kernel is (T11g).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/path/priority/work_above.hpp"
#include "analysis/path/system/relations.hpp"
#include "analysis/path/system/staircase.hpp"
#include "analysis/path/system/table.hpp"
#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// T11's count of jobs of node u of the path's own DAG, given lim_u >= 0: J itself unless u cannot be ready yet, earlier and later ones.
[[nodiscard]] inline std::int64_t own_jobs_by_priority(std::int64_t lim, std::int64_t F, std::int64_t T, bool strict_descendant) {
  return (strict_descendant ? 0 : 1) + std::max<std::int64_t>(0, jobs_in(F, T) - 1) + lim / T;
}

/// One pool under fixed priorities.
class PoolByPriority {
 public:
  using PerClass = std::vector<std::vector<std::int64_t>>;  // class -> one value per node, ns

  /// `only`: of the one class that is asked for.
  PoolByPriority(const Ticks& ticks, std::size_t pool, std::optional<std::size_t> only = std::nullopt);

  /// To be called when F of class k has changed, before what follows from it is asked for.
  void changed(std::size_t k) {
    if (k < stale_.size()) stale_[k] = true;
  }
  /// T11: the waiting on the pool of paths that end in each node of class k: sets waiting[node * slots + slot] for the pool's slots.
  void set_waiting(std::size_t k, const PerClass& F, const PerClass& A, std::span<Tick> waiting);
  /// The work of other DAGs whose nodes on the pool all are more urgent than class k's, as their ends are; where equals run in any order,
  /// and of its own later jobs.
  [[nodiscard]] WorkAbove above(std::size_t k, const PerClass& F);
  /// T11b, T11g: Blk_q of node q of class k, which is ready by A.
  [[nodiscard]] Tick blocking(std::size_t k, std::size_t q, std::int64_t A, const PerClass& F) const;

 private:
  struct Use {
    std::uint32_t u = 0;
    std::uint32_t priority = 0;
    Tick vol;
  };
  struct Blocks {
    std::uint32_t demand = 0;  // their class
    Wide each = 0;             // units of the pool's work
  };
  struct Piece {
    Tick length;
    std::size_t c = 0;  // class
    std::size_t i = 0;  // of its nodes on the pool
  };
  /// Where relations are too many to be kept, every node counts as if it were before v and parallel to it: that can only raise bounds.
  [[nodiscard]] bool is_above(std::size_t k, std::size_t v, std::size_t i) const { return above_[k].empty() || above_[k].has(v, i); }
  [[nodiscard]] bool parallel(std::size_t k, std::size_t v, std::size_t i) const {
    return above_[k].empty() || (!above_[k].has(v, i) && !below_[k].has(v, i));
  }
  [[nodiscard]] Tick blocking_blocks(std::size_t k, std::size_t q, std::int64_t A, const PerClass& F) const;
  [[nodiscard]] Tick most_on_an_sm(const std::vector<Wide>& block) const;
  /// Takes the last ends, and releases of equals, of the uses from <= i < to into the limits of the nodes that wait for them.
  void add_limits(std::size_t k, std::size_t from, std::size_t to, const PerClass& F, const PerClass& A);
  /// Adds to `waiting` the jobs of other DAGs' nodes of priorities from <= pi < to that count up to `lim`; -1: none do.
  void add_jobs(std::size_t k, std::size_t slot, std::uint64_t from, std::uint64_t to, const PerClass& F, std::span<const std::int64_t> lim,
                std::span<Tick> waiting);
  /// Of J and of the DAG's other jobs, for the uses from <= i < to.
  void add_own_jobs(std::size_t k, std::size_t slot, std::size_t from, std::size_t to, const std::vector<std::int64_t>& F,
                    std::span<Tick> waiting) const;
  /// The work of a class's nodes, level by level.
  [[nodiscard]] std::vector<Staircase>& stairs_of(std::size_t k, const PerClass& F);

  const Ticks& ticks_;
  std::size_t pool_;
  std::vector<std::vector<Use>> uses_;              // class -> its nodes on the pool, least urgent first
  std::vector<std::vector<Blocks>> blocks_;         // GPUs: the same, of their kernels
  std::vector<Relations> above_;                    // class, node v -> the uses that are v or an ancestor of it
  std::vector<Relations> below_;                    // class, node v -> the uses that are strict descendants of v
  std::vector<Piece> pieces_;                       // longest first
  mutable std::map<std::vector<Wide>, Tick> most_;  // what `most_on_an_sm` has found

  // For `set_waiting` and `above` alone.
  std::vector<std::vector<Staircase>> stairs_;  // class, level
  std::vector<bool> stale_;                     // class -> whether its F has changed since
  std::vector<std::int64_t> lim_of_equals_;     // node; -1: the path waits for nothing so urgent
  std::vector<std::int64_t> lim_of_higher_;
  Table table_;
};

}  // namespace rta::analysis::path
