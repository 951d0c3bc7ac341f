// T10d: of other DAGs no more than fits between their releases and ends beside the path, each DAG taken as a whole.
#pragma once

#include <boost/container/static_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/path/chains/parallel.hpp"
#include "analysis/path/system/job_counts.hpp"
#include "analysis/path/system/ticks.hpp"
#include "analysis/path/whole/kept_waiting.hpp"
#include "analysis/path/whole/whole_window.hpp"
#include "analysis/path/whole/work_left.hpp"
#include "analysis/path/whole/work_within.hpp"

namespace rta::analysis::path {

class WholePaths {
 public:
  using PerClass = std::vector<std::vector<std::int64_t>>;  // class -> one value per node, ns
  using Parallel = std::vector<std::optional<ParallelPaths>>;

  /// Pools without points per node, but no GPU with several priorities, all of whose nodes are whole pieces of work on one processor.
  [[nodiscard]] static bool fits(const System& system, std::size_t pool);
  /// Keeps references. `paths`: per class; none where T10p does not apply, and then T10d does only for DAGs on non-preemptive pools.
  WholePaths(const Ticks& ticks, const Parallel& paths);
  [[nodiscard]] bool applies(std::size_t k) const { return applies_[k]; }
  /// Requires that.
  [[nodiscard]] const ParallelPaths& paths(std::size_t k) const { return paths_[k] ? *paths_[k] : started_[k]->paths; }
  /// Per node of class k: of those on one pool with one number each is before or after each other.
  [[nodiscard]] std::vector<std::uint32_t> lanes(std::size_t k) const;

  struct Ends {
    const PerClass& F;
    const PerClass& A;  // bounds on ready times
  };
  /// To be called when ends of class k have changed, before anything that follows from them is asked for.
  void changed(std::size_t k);
  /// To be called before a round: how long a job takes at most to get as far as all of it would on infinitely many processors. `alone`: the
  /// only class that is asked for until the next.
  void prepare(const Ends& ends, std::optional<std::size_t> alone = std::nullopt);
  struct Decisive {
    Tick total;
    PoolSet set = {};
    /// ns by which a solution in place of F is larger than F, at least, where `total` is more than F.
    std::int64_t beyond = 0;
    std::int64_t pieces = 0;      // of less urgent work, on ParallelPaths::pieces_pool
    std::int64_t processors = 0;  // j where that is not all of its only pool, which is then non-preemptive
  };
  /// For node v of class k; `counted`: per slot what T10n counts.
  [[nodiscard]] Decisive decisive(std::size_t k, std::size_t v, const Ends& ends, std::span<const Tick> counted) const;
  /// ns, from below: more than F where F is no solution, and then no less than what one is at least; else what T10d has, or 0.
  [[nodiscard]] std::int64_t from_below(std::size_t k, std::size_t v, const Ends& ends, std::span<const Tick> counted) const;
  /// Whether `from_below` said that F is a solution for node v, whatever T10n counts, and would again.
  [[nodiscard]] bool is_solved(std::size_t k, std::size_t v, const Ends& ends) const;

  /// What is known of windows of a class.
  struct Kept {
    std::vector<KeptWaiting> waiting;  // slot
    std::vector<std::optional<KeptWaiting::Window>> solved;
  };
  /// Of class k: from then on nothing is known, until it is put back; ends are to be as they were by then.
  [[nodiscard]] Kept set_aside(std::size_t k);
  void put_back(std::size_t k, Kept kept);

  /// What one DAG counts in a slot; ns.
  struct Jobs {
    std::size_t c = 0;  // class
    std::int64_t copies = 1;
    bool own = false;            // other jobs of the node's own DAG
    Wide counted = 0;            // as T10n counts
    Wide fits = 0;               // what fits
    std::int64_t F = 0;          // of the last counted node
    std::int64_t V = 0;          // of all counted nodes
    std::int64_t E = 0;          // halves of a ns; 0: what a job has left by its age says nothing
    std::int64_t in_window = 0;  // how many jobs may be; from WholeWindow::most_jobs on all that count fit
    boost::container::static_vector<WholeWindow::Rise, 8> rises = {};  // of `fits`
    [[nodiscard]] Wide work() const { return std::min(counted, fits); }
  };
  /// Where the pool fits, per DAG with work that may precede; of each no more than `processors` do at once, 0: all.
  [[nodiscard]] std::vector<Jobs> jobs(std::size_t k, std::size_t v, std::size_t slot, const Ends& ends, std::int64_t processors) const;

  using Rise = WorkRise;
  struct Piece {
    std::int64_t length = 0;  // ns
    std::int64_t count = 0;
    Rise rise = {};  // of a part: what is taken of a DAG is not all
  };
  /// The longest pieces of less urgent work, as many as the nodes of one path may meet, that may have started on a pool before a node of a
  /// path to v was ready.
  struct Blocking {
    std::vector<Piece> pieces;  // longest first
    /// The sum of the n longest.
    [[nodiscard]] Wide longest(std::int64_t n) const;
    /// What of the n longest grows, `times` over, after the first `from`.
    void add_rises(std::int64_t from, std::int64_t n, Wide times, std::vector<Rise>& rises) const;
  };
  /// How many these are; 0 where the pool is preemptive.
  [[nodiscard]] std::int64_t most_pieces(std::size_t k, std::size_t v, std::size_t local) const {
    return started_[k] && is_non_preemptive(k, local) ? started_[k]->most[v * ticks_.classes[k].pools.size() + local] : 0;
  }
  /// Nothing where the pool is preemptive, or no path visits it. `processors`: as `jobs` has it.
  [[nodiscard]] Blocking blocking(std::size_t k, std::size_t v, std::size_t local, const Ends& ends, std::int64_t processors) const;
  /// Of the job itself v, what is before it, and what may run while a path to v waits.
  [[nodiscard]] NodeBits beside_or_before(std::size_t k, std::size_t v) const;

 private:
  struct Use {
    std::size_t u = 0;
    std::int64_t C = 0;  // ns
    std::uint32_t priority = 0;
    std::uint32_t chain = 0;  // of its DAG's nodes on the pool, one of which runs at a time
  };
  /// What is known of a class's nodes on a pool as long as their ends stay.
  struct Known {
    std::optional<JobCounts> counts;
    FirstJob first;
  };
  /// All of a class's nodes on a pool.
  struct OnPool {
    std::vector<std::int64_t> families;  // what the heaviest families of chains do, ns
    WorkWithin within;                   // on all processors
  };
  using Slot = KeptWaiting::Waiting;  // of others
  /// Of paths to a node: by when what they wait for was released.
  struct Last {
    std::int64_t any = -1;     // FIFO a, GEL b, fixed priorities: for more urgent nodes; -1: nothing is waited for
    std::int64_t equals = -1;  // fixed priorities: for nodes of the level's own priority
    std::uint32_t level = 0;
    std::uint64_t next = 0;  // the level above it, beyond all priorities where there is none
  };
  /// Of classes that use a non-preemptive pool.
  struct Started {
    explicit Started(const Class& c, const System& system);
    ParallelPaths paths;
    std::vector<std::int64_t> most;                  // node * pools + local pool -> how many pieces a path may meet there
    std::vector<std::int64_t> longest;               // node, likewise: of paths to it, ns
    std::vector<std::optional<std::int64_t>> alone;  // node, if it and all before it are on one pool: work of `beside_or_before`, ns
  };

  /// The window of a node and what of other jobs falls into it, one DAG after the other.
  struct Beside {
    std::int64_t m = 1;
    WholeWindow window = {};
    WorkWithin of_some = {};  // of a DAG of which not all nodes on the pool count
    std::vector<std::int64_t> chains = {};
  };

  [[nodiscard]] bool is_non_preemptive(std::size_t k, std::size_t local) const;
  [[nodiscard]] std::int64_t window_of(std::size_t k, std::size_t v, const Ends& ends) const;
  void set_left(std::size_t k);
  void set_left_by();
  [[nodiscard]] bool reads_left(std::size_t k, std::size_t d) const;
  /// Of a class with one priority; 0 where the pool is not under fixed priorities.
  [[nodiscard]] std::uint32_t urgency(std::size_t k) const;
  [[nodiscard]] std::int64_t end_as_soon(std::size_t k, const Ends& ends) const;
  /// The nodes with work of class k on its pool `local`, by chains.
  [[nodiscard]] const std::vector<Use>& by_chains(std::size_t k, std::size_t local) const;
  /// K_1, K_2, ... of all nodes of class k on its pool `local`, ns: fewer than it has processors.
  [[nodiscard]] std::vector<std::int64_t> families_of(std::size_t k, std::size_t local) const;
  [[nodiscard]] const OnPool& on_pool(std::size_t k, std::size_t local) const;
  void set_started(std::size_t k);
  static constexpr std::size_t all_nodes = SIZE_MAX;  // in place of one and what is before it
  [[nodiscard]] Last last_of(std::size_t k, std::size_t v, std::size_t slot, const Ends& ends) const;
  [[nodiscard]] const std::vector<std::uint32_t>& waiting_on(std::size_t k, std::size_t v, std::size_t slot) const;
  /// GEL without preemption: by when the last node of paths to v on the pool is ready; elsewhere before all else.
  [[nodiscard]] std::int64_t last_ready(std::size_t k, std::size_t v, std::size_t local, const Ends& ends) const;
  [[nodiscard]] Last last_started(std::size_t k, std::size_t v, std::size_t local, const Ends& ends) const;
  /// Fills `beside`, whose m and window.L are given, with what counts, and adds it to `pieces`.
  [[nodiscard]] std::optional<Jobs> jobs_of(std::size_t k, std::size_t p, std::size_t d, bool own, const Last& last, const Ends& ends,
                                            Beside& beside, std::vector<Piece>* pieces = nullptr) const;
  /// The one lim of all nodes of class d on the pool that have work, where no order tells them apart and all count.
  [[nodiscard]] std::optional<std::int64_t> lim_of_all(std::size_t k, std::size_t p, std::size_t d, const Last& last) const;
  /// Who asks about a DAG on a pool, which is its `local` one.
  struct Counting {
    std::size_t k = 0;
    std::size_t p = 0;
    std::size_t local = 0;
  };
  [[nodiscard]] bool count_each(const Counting& of, const Last& last, const Ends& ends, Beside& beside, Jobs& jobs,
                                std::vector<Piece>* pieces) const;
  [[nodiscard]] const JobCounts& counts_of(std::size_t d, std::size_t local, const Ends& ends) const;
  [[nodiscard]] std::vector<Piece> own_started(std::size_t k, std::size_t v, std::size_t local, const Last& last, const Ends& ends) const;
  [[nodiscard]] Slot waiting(std::size_t k, std::size_t v, std::size_t slot, const Ends& ends, std::int64_t processors) const;
  [[nodiscard]] static Rise rise_of(const Jobs& jobs, Wide rest);
  /// How many ns it takes at least until what is `lacking` and rises in the meantime is no more than `full` for every ns.
  [[nodiscard]] static std::int64_t until_met(std::vector<Rise> rises, Wide lacking, Wide full);
  /// Of rises that are sorted, and none for longer than `most`.
  [[nodiscard]] static std::int64_t until_met(std::span<const Rise> sorted, std::int64_t most, Wide lacking, Wide full);
  void forget_waiting_for(std::size_t d);
  [[nodiscard]] std::optional<KeptWaiting::Window> window_to_keep(std::size_t k, std::size_t v, std::size_t slot, const Ends& ends) const;
  [[nodiscard]] Slot kept_waiting(std::size_t k, std::size_t v, std::size_t slot, const Ends& ends) const;
  [[nodiscard]] std::int64_t solved_from(std::size_t k, std::size_t v, std::span<const Tick> counted,
                                         const KeptWaiting::Entry& known) const;
  [[nodiscard]] static Slot no_more_than(Tick counted, Slot of);
  [[nodiscard]] Decisive longest(std::size_t k, std::size_t v, std::int64_t L, std::span<const Slot> slots, const Blocking& blocking) const;
  /// Without `beyond`.
  [[nodiscard]] Decisive longest(std::size_t k, std::size_t v, std::span<const Slot> slots, const Blocking& blocking) const;
  [[nodiscard]] std::int64_t beyond(std::size_t k, const Decisive& of, std::int64_t L, std::span<const Slot> slots,
                                    const Blocking& blocking) const;
  [[nodiscard]] Tick ticks_of(const Blocking& blocking, std::int64_t pieces, std::int64_t processors) const;
  /// To the slots of all non-preemptive pools but that of the pieces that are known of each path.
  void add_blocking(std::size_t k, std::size_t v, const Ends& ends, std::vector<Slot>& slots) const;
  void count_fewer(std::size_t k, std::size_t v, const Ends& ends, Decisive& most) const;

  const Ticks& ticks_;
  const Parallel& paths_;
  std::vector<std::optional<Started>> started_;                                  // class
  std::vector<bool> fits_;                                                       // pool
  std::vector<bool> applies_;                                                    // class
  mutable std::vector<std::vector<std::vector<Use>>> uses_;                      // class, local pool -> its nodes with work
  mutable std::vector<std::vector<char>> are_by_chains_;                         // likewise, of these
  mutable std::vector<std::vector<std::optional<OnPool>>> on_pool_;              // likewise, once asked
  mutable std::vector<std::vector<Known>> known_;                                // likewise
  std::vector<std::optional<WorkLeft>> left_;                                    // class, where a job's age bounds what it has left
  std::vector<std::size_t> in_order_;                                            // these classes, the most urgent first
  std::vector<std::int64_t> E_;                                                  // class -> halves of a ns; 0: not known
  std::vector<bool> E_is_old_;                                                   // class -> whether ends have changed since
  std::vector<std::vector<std::size_t>> left_by_;                                // class -> those whose E its ends decide
  mutable std::vector<std::vector<std::vector<std::uint32_t>>> waiting_on_;      // class, node * slots + slot: once asked
  mutable std::vector<std::vector<std::optional<KeptWaiting::Window>>> solved_;  // class, node, as long as these stay
  mutable std::vector<std::vector<KeptWaiting>> kept_;                           // class, slot
};

}  // namespace rta::analysis::path
