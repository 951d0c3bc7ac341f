// T10d: of other DAGs no more than fits between their releases and ends beside the path, each DAG taken as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/path/path_parallel.hpp"
#include "analysis/path/path_ticks.hpp"
#include "analysis/path/whole_window.hpp"

namespace rta::analysis::path {

class WholePaths {
 public:
  using PerClass = std::vector<std::vector<std::int64_t>>;  // class -> one value per node, ns
  using Parallel = std::vector<std::optional<ParallelPaths>>;

  /// Preemptive or FIFO pools, without points per node, all of whose nodes are whole pieces of work on one processor.
  [[nodiscard]] static bool fits(const System& system, std::size_t pool);
  /// Keeps references. `paths`: per class; none where T10p does not apply, and then T10d does not.
  WholePaths(const Ticks& ticks, const Parallel& paths);
  [[nodiscard]] bool applies(std::size_t k) const { return applies_[k]; }

  struct Ends {
    const PerClass& F;
    const PerClass& A;  // bounds on ready times
  };
  struct Decisive {
    std::int64_t total = 0;  // ticks
    PoolSet set = {};
    /// ns by which a solution in place of F is larger than F, at least, where `total` is more than F.
    std::int64_t beyond = 0;
  };
  /// For node v of class k; `counted`: per slot what T10n counts.
  [[nodiscard]] Decisive decisive(std::size_t k, std::size_t v, const Ends& ends, std::span<const std::int64_t> counted) const;

  /// What one DAG counts in a slot; ns.
  struct Jobs {
    std::size_t c = 0;  // class
    std::int64_t copies = 1;
    bool own = false;            // other jobs of the node's own DAG
    Wide counted = 0;            // as T10n counts
    Wide fits = 0;               // what fits
    std::int64_t F = 0;          // of the last counted node
    std::int64_t V = 0;          // of all counted nodes
    std::int64_t rate = 0;       // `fits` grows by this much at least
    std::int64_t rises_for = 0;  // for every ns by which the window grows by so many
    [[nodiscard]] Wide work() const { return std::min(counted, fits); }
  };
  /// Where the pool fits, per DAG with work that may precede.
  [[nodiscard]] std::vector<Jobs> jobs(std::size_t k, std::size_t v, std::size_t slot, const Ends& ends) const;

 private:
  struct Use {
    std::size_t u = 0;
    std::int64_t C = 0;  // ns
    std::uint32_t priority = 0;
    std::uint32_t chain = 0;  // of its DAG's nodes on the pool, one of which runs at a time
  };
  struct Slot {
    std::int64_t waiting = 0;  // of others, ticks
    std::int64_t rises_for = 0;
  };
  /// Of paths to a node: by when what they wait for was released.
  struct Last {
    std::int64_t any = -1;     // FIFO a, GEL b, fixed priorities: for more urgent nodes; -1: nothing is waited for
    std::int64_t equals = -1;  // fixed priorities: for nodes of the level's own priority
    std::uint32_t level = 0;
    std::uint64_t next = 0;  // the level above it, beyond all priorities where there is none
  };
  void set_chains(std::size_t k, std::vector<Use>& uses) const;
  /// K_1, K_2, ... of all nodes of class k on its pool `local`, ns: fewer than it has processors.
  [[nodiscard]] std::vector<std::int64_t> families_of(std::size_t k, std::size_t local) const;
  [[nodiscard]] Last last_of(std::size_t k, std::size_t v, std::size_t slot, const Ends& ends) const;
  /// Fills `window` with what counts.
  [[nodiscard]] std::optional<Jobs> jobs_of(std::size_t k, std::size_t v, std::size_t p, std::size_t d, bool own, const Last& last,
                                            const Ends& ends, WholeWindow& window) const;
  [[nodiscard]] Slot waiting(std::size_t k, std::size_t v, std::size_t slot, const Ends& ends) const;

  const Ticks& ticks_;
  const Parallel& paths_;
  std::vector<bool> fits_;                           // pool
  std::vector<bool> applies_;                        // class
  std::vector<std::vector<std::vector<Use>>> uses_;  // class, local pool -> its nodes with work, by chains
  std::vector<PerClass> families_;                   // class, local pool -> what its nodes' heaviest families of chains do
};

}  // namespace rta::analysis::path
