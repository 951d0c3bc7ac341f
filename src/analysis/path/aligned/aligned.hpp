// T10a and T10v: what one release pattern per interfering DAG can put into the windows of all pools of a path together.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/path/aligned/others_work.hpp"
#include "analysis/path/aligned/turns.hpp"
#include "analysis/path/system/ticks.hpp"
#include "analysis/path/visit/under_way.hpp"
#include "analysis/path/whole/ends_on_pool.hpp"

namespace rta::analysis::path {

/// T10v: the nodes of a class on its FIFO pool, and what leads to them, in parts that only share a root.
struct Strands {
  std::vector<EndsOnPool> parts;
  std::vector<std::uint32_t> root;  // the common predecessors of all nodes on the FIFO pool
  Tick C_R;                         // largest sum of e over a path in the root
  std::int64_t F_R = 0;             // when the root has ended, ns
};

/// A job released x ns before J counts the nodes of `ends` with F > x where x >= `first`.
struct Window {
  const EndsOnPool* ends = nullptr;
  std::int64_t first = 0;        // -lim
  bool queue = false;            // T10v: the FIFO pool
  std::size_t turns = SIZE_MAX;  // turns: how many nodes of each chain count
  std::size_t local = 0;         // the pool, of the class that asks
  Tick most = unbounded;         // T10f: of all jobs together on the pool
};

/// T10v: of jobs released `from` <= x < `to` ns before J, `count` of the `given` strands of all jobs lose work on the FIFO pool: the
/// first one `less`, each further one `further`, or `less` when the root has ended.
struct Early {
  std::int64_t from = 0;
  std::int64_t to = 0;
  Tick less;
  Tick further;
  std::int64_t count = 1;
  std::int64_t given = 1;
  std::int64_t m = 1;
  const Strands* strands = nullptr;
};

/// One counted job: its release, ns before J's, and its work; `saved` is what T10v has taken off.
struct Counted {
  std::int64_t x = 0;
  Tick work;
  Tick saved;
};

inline constexpr std::int64_t most_candidates = 256;  // releases that may decide; beyond, T10n's count is no worse by much

/// I_d: the most that releases at least T apart put into the windows. `jobs` receives them, latest first, or nothing where so many
/// fit that nodes are counted one by one, as T10n does.
[[nodiscard]] Tick most_aligned(std::span<const Window> windows, std::int64_t T, const Early& early, std::vector<Counted>* jobs = nullptr);

/// How many releases may decide that.
[[nodiscard]] std::int64_t number_of_candidates(std::span<const Window> windows, std::int64_t T, const Early& early);

/// T30: what all jobs of the DAG together have on one FIFO pool.
struct Together {
  std::size_t local = 0;
  std::size_t turns = 0;
  Tick work;
  bool at_once = false;  // T10f: by what can be ready at once
};

/// The least of I_d and, for some of the FIFO pools, T30's there and I_d of the other windows. `jobs` receives I_d's, `together` T30's.
[[nodiscard]] Tick least_aligned(std::span<const Window> windows, std::int64_t T, std::vector<Counted>* jobs = nullptr,
                                 std::vector<Together>* together = nullptr);

/// T10f: of each FIFO pool the lesser of T30's and of what can be ready at once, and I_d of the other windows.
[[nodiscard]] Tick work_at_once(std::span<const Window> windows, std::int64_t T, std::vector<Counted>* jobs = nullptr,
                                std::vector<Together>* together = nullptr);

/// A path that visits both pools of T10v.
struct Way {
  Tick length;  // sum of e - s/capacity
  Tick before;  // E: sum of e before the first node on the FIFO pool
};

/// T10v for one class, all of whose nodes are on one preemptive GEL pool by DAG and one FIFO pool.
struct Overlap {
  std::size_t cpu = 0;  // pools of the system
  std::size_t queue = 0;
  std::vector<std::vector<Way>> ways;  // node -> paths that visit both pools, as far as none is always the lesser one
  /// Which jobs of a class may lose work: at most m - 1 strands in all.
  struct Share {
    std::int64_t copies = 0;   // DAGs of the class
    std::int64_t jobs = 0;     // how many jobs of each
    std::int64_t strands = 1;  // how many strands of each job
  };
  std::vector<std::vector<Share>> choices;  // each: class -> share; each holds
  std::vector<Tick> GC;                     // class -> largest sum of e over the FIFO pool's nodes of a path
};

inline constexpr std::size_t most_aligned_pairs = 20'000;  // of a node and a class
/// Whether T10a is worth its time on this system: its rounds look at all of them.
[[nodiscard]] bool affordable_alignment(const Ticks& ticks);

class AlignedPaths {
 public:
  explicit AlignedPaths(const Ticks& ticks);
  /// Whether jobs on such a pool are aligned: T10a is T10n for DAGs that visit no such pool.
  [[nodiscard]] static bool aligned(Order order) { return order != Order::gel_by_node && !by_fixed_priority(order); }
  /// To be called when F of class k has changed.
  void changed(std::size_t k, const std::vector<std::int64_t>& F);

  /// What a node's inequality is made of, per local pool of its class.
  struct Sums {
    std::span<const std::int64_t> reach;  // T10n's a or b, ns
    std::span<const std::int64_t> ready;  // max of A_q over the q of a or b, ns
    std::span<const Tick> own;            // per slot: of the DAG's own jobs, on pools ordered by node or by priority of all
  };
  /// What a right-hand side is taken by.
  struct Choice {
    std::uint64_t mask = 0;
    Tick length;
    Tick before;  // E; 0 where T10v takes nothing off
    std::size_t v = 0;
    std::size_t share = 0;  // index into Overlap::choices
    bool in_turns = true;
    bool started = false;                   // non-preemptive GEL: what may have started before counts, and nothing blocks
    const UnderWayAt* under_way = nullptr;  // T10f
    bool in_full = false;                   // T10f: nodes on FIFO pools add e, and J's own work is what it says
    Tick total;
  };
  /// T10a's right-hand side for node v of class k, to which paths of the pool sets `sets` lead; with `overlap` T10v's, where it applies.
  [[nodiscard]] Choice right_hand_side(std::size_t k, std::span<const PoolSet> sets, std::size_t v, const Sums& sums, bool overlap) const;

  /// Its total alone. What is no more than `enough` may be anything up to it, what is no less than `up_to` anything from there on.
  [[nodiscard]] Tick bound(std::size_t k, std::span<const PoolSet> sets, std::size_t v, const Sums& sums, bool overlap, Tick enough,
                           Tick up_to) const;

  /// The paths to a node whose nodes add e - s, and those whose nodes on FIFO pools add e.
  struct Sets {
    std::span<const PoolSet> less_last_pieces;
    std::span<const PoolSet> in_full;
  };
  /// T10f's; `under_way` is of v. What is no less than `up_to` may be anything from there on.
  [[nodiscard]] Choice under_way(std::size_t k, std::size_t v, const Sums& sums, const UnderWayAt& under_way, const Sets& sets,
                                 Tick up_to = unbounded) const;

  /// The jobs of one DAG of class d that count for a path of class k with `choice`; `early`: T10v may take off.
  [[nodiscard]] Tick interference(std::size_t k, std::size_t d, const Choice& choice, const Sums& sums, bool early,
                                  std::vector<Counted>* jobs = nullptr, std::vector<Together>* together = nullptr) const;
  /// How many of its releases may decide that, but for pools that T30 bounds. Beyond `most_candidates` nodes count one by one, as in T10n.
  [[nodiscard]] std::int64_t releases(std::size_t k, std::size_t d, const Choice& choice, const Sums& sums) const;
  /// The DAG's own jobs in its slot.
  [[nodiscard]] Tick own(std::size_t k, std::size_t slot, const Choice& choice, const Sums& sums) const;
  /// How many DAGs of class d have jobs that T10v takes something off.
  [[nodiscard]] std::int64_t reduced(std::size_t k, std::size_t d, const Choice& choice) const;
  [[nodiscard]] const std::optional<Overlap>& overlap(std::size_t k) const { return overlap_[k]; }
  /// Of class d, on class k's FIFO pool.
  [[nodiscard]] const Strands& strands(std::size_t k, std::size_t d) const { return strands_[d][ticks_.local_pool[d][overlap_[k]->queue]]; }

 private:
  class Bound;
  using Windows = boost::container::small_vector<Window, 4>;

  /// One of each pool of the choice that class d uses, too.
  [[nodiscard]] Windows windows(std::size_t k, std::size_t d, const Choice& choice, const Sums& sums, bool early) const;
  void set_turns(std::size_t k, std::size_t local, const Ancestors& ancestors, std::span<const std::uint32_t> chain);
  [[nodiscard]] Choice by_pool_sets(std::size_t k, std::size_t v, std::span<const PoolSet> sets, const Sums& sums, bool started) const;
  [[nodiscard]] Tick taken_off_by_turns(std::size_t k, std::size_t local, const Choice& choice, std::int64_t a) const;
  /// How often paths to v visit the local pool at most; SIZE_MAX where turns says nothing of it.
  [[nodiscard]] std::size_t turns(std::size_t k, std::size_t local, std::size_t v) const {
    return visits_[k][local].empty() ? SIZE_MAX : visits_[k][local][v];
  }
  [[nodiscard]] Choice by_ways(std::size_t k, std::size_t v, const Sums& sums) const;
  /// The choice's total, or a value between `up_to` and it.
  [[nodiscard]] Tick total(std::size_t k, const Choice& choice, const Sums& sums, Tick up_to = unbounded) const;
  /// What the copies of class d put into the windows.
  [[nodiscard]] Tick work_of(std::size_t k, std::size_t d, const Choice& choice, const Sums& sums) const;
  [[nodiscard]] OthersWork::Question question(std::size_t k, const Choice& choice, const Sums& sums) const;
  /// The same of the others on the only pool, a GEL one, beside `sum` of the rest.
  [[nodiscard]] Tick add_beside(std::size_t k, std::int64_t reach, Tick sum, Tick up_to) const;
  void set_beside(std::size_t k);
  [[nodiscard]] Early early_jobs(std::size_t k, std::size_t d, const Choice& choice) const;
  [[nodiscard]] bool aligned(std::size_t pool) const { return aligned(ticks_.system->pools[pool].order); }

  const Ticks& ticks_;
  std::vector<std::vector<EndsOnPool>> ends_;                    // class, local pool
  std::vector<std::vector<std::vector<std::uint32_t>>> visits_;  // class, local pool, node: most visits; none where turns says nothing
  std::vector<std::vector<std::vector<Tick>>> own_less_;         // class, local pool, node: what turns takes off J's own work
  std::vector<std::optional<Overlap>> overlap_;                  // class -> T10v where it applies
  std::vector<std::vector<Strands>> strands_;                    // class, local pool: where T10v may take something off
  std::vector<std::vector<Tick>> too_long_;                      // class, local pool: what of the DAG's earlier jobs fits no more
  std::vector<std::vector<std::size_t>> neighbours_;             // class -> classes that share a pool with it
  std::vector<std::size_t> version_;                             // class -> how often its ends have changed
  mutable std::vector<std::optional<OthersWork>> others_;        // class; none where it visits too many pools
  /// A DAG all of whose nodes are on one preemptive GEL pool has one window there: of each other class on it, what that held last.
  struct Beside {
    std::size_t d = 0;
    std::int64_t copies = 0;
    std::int64_t later = 0;  // Y_k - Y_d
    const EndsOnPool* ends = nullptr;
    std::int64_t first = 0;
    std::size_t version = 0;
    Tick work;
  };
  mutable std::vector<std::vector<Beside>> beside_;  // class; none where it visits other pools
  std::vector<std::optional<Class>>
      unblocked_;  // class with a non-preemptive pool -> its pool sets without blocking; none where fixed priorities block
};

}  // namespace rta::analysis::path
