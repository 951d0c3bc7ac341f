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

#include "analysis/path/path_ticks.hpp"

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

  /// T11: the waiting on the pool of paths that end in each node of class k, ticks: sets waiting[node * slots + slot] for the pool's slots.
  void set_waiting(std::size_t k, const PerClass& F, const PerClass& A, std::span<std::int64_t> waiting) const;
  /// T11b, T11g: Blk_q of node q of class k, which is ready by A; ticks.
  [[nodiscard]] std::int64_t blocking(std::size_t k, std::size_t q, std::int64_t A, const PerClass& F) const;

 private:
  struct Use {
    std::uint32_t u = 0;
    std::uint32_t priority = 0;
    std::int64_t vol = 0;  // ticks
  };
  struct Blocks {
    std::uint32_t demand = 0;  // their class
    Wide each = 0;             // units of the pool's work
  };
  struct Piece {
    std::int64_t length = 0;  // ticks
    std::size_t c = 0;        // class
    std::size_t i = 0;        // of its nodes on the pool
  };
  struct Urgency {  // priorities from <= pi < to
    std::uint64_t from = 0;
    std::uint64_t to = 0;
  };
  using Bits = std::vector<std::vector<bool>>;

  [[nodiscard]] static Bits ancestors_or_selves(const Class& c, const std::vector<std::uint32_t>& nodes);
  [[nodiscard]] static Bits strict_descendants(const Class& c, const std::vector<std::uint32_t>& nodes);
  /// Where relations are too many to be kept, every node counts as if it were before v and parallel to it: that can only raise bounds.
  [[nodiscard]] bool is_above(std::size_t k, std::size_t v, std::size_t i) const { return above_[k].empty() || above_[k][v][i]; }
  [[nodiscard]] bool is_below(std::size_t k, std::size_t v, std::size_t i) const { return !below_[k].empty() && below_[k][v][i]; }
  [[nodiscard]] bool parallel(std::size_t k, std::size_t v, std::size_t i) const {
    return above_[k].empty() || (!above_[k][v][i] && !below_[k][v][i]);
  }
  [[nodiscard]] std::int64_t blocking_blocks(std::size_t k, std::size_t q, std::int64_t A, const PerClass& F) const;
  [[nodiscard]] std::int64_t most_on_an_sm(const std::vector<Wide>& block) const;
  /// Adds the jobs of nodes of such priorities to `waiting` of all nodes of class k, given their lim; -1: none count.
  void add_jobs(std::size_t k, std::size_t slot, Urgency urgency, const PerClass& F, std::span<const std::int64_t> lim,
                std::span<std::int64_t> waiting) const;
  /// Of J and of the DAG's other jobs.
  void add_own_jobs(std::size_t k, std::size_t slot, Urgency urgency, const std::vector<std::int64_t>& F, std::span<const std::int64_t> lim,
                    std::span<std::int64_t> waiting) const;
  /// Indices into uses_[k], from and to.
  [[nodiscard]] std::pair<std::size_t, std::size_t> uses_between(std::size_t k, Urgency urgency) const;

  const Ticks& ticks_;
  std::size_t pool_;
  std::vector<std::vector<Use>> uses_;                      // class -> its nodes on the pool, least urgent first
  std::vector<std::vector<Blocks>> blocks_;                 // GPUs: the same, of their kernels
  std::vector<Bits> above_;                                 // class, node v -> whether uses_[i] is v or an ancestor of it
  std::vector<Bits> below_;                                 // class, node v -> whether uses_[i] is a strict descendant of v
  std::vector<Piece> pieces_;                               // longest first
  mutable std::map<std::vector<Wide>, std::int64_t> most_;  // what `most_on_an_sm` has found
};

}  // namespace rta::analysis::path
