// The right-hand sides of T10n and T12, and of what refines them, as functions of all ends F.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/path/aligned/aligned.hpp"
#include "analysis/path/aligned/upstream_paths.hpp"
#include "analysis/path/chains/parallel.hpp"
#include "analysis/path/fitting/fitting.hpp"
#include "analysis/path/late/jitter.hpp"
#include "analysis/path/late/late.hpp"
#include "analysis/path/points/backlog.hpp"
#include "analysis/path/points/by_node.hpp"
#include "analysis/path/priority/by_priority.hpp"
#include "analysis/path/priority/urgent.hpp"
#include "analysis/path/rules.hpp"
#include "analysis/path/sliced/slices.hpp"
#include "analysis/path/system/own_jobs.hpp"
#include "analysis/path/system/preceding.hpp"
#include "analysis/path/system/staircase.hpp"
#include "analysis/path/system/ticks.hpp"
#include "analysis/path/visit/running.hpp"
#include "analysis/path/visit/under_way.hpp"
#include "analysis/path/visit/visit.hpp"
#include "analysis/path/wanted_ends.hpp"
#include "analysis/path/whole/whole.hpp"
#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

class Nodes {
 public:
  using PerClass = std::vector<std::vector<std::int64_t>>;  // class -> one value per node, ns
  using TicksPerClass = std::vector<std::vector<Tick>>;

  /// `wanted`: as in Limits.
  Nodes(Ticks& ticks, const Rules& rules, const std::vector<std::vector<Time>>& wanted = {});
  Nodes(const Nodes&) = delete;
  Nodes& operator=(const Nodes&) = delete;

  /// Whether T10v counts what precedes all nodes on a pool once a round.
  [[nodiscard]] static bool counts_all_at_once(const Ticks& ticks);

  /// Prepares a round over all classes from F as it is now: what they share on FIFO pools. `alone`: the only class that is asked for until
  /// the next round.
  void prepare(std::optional<std::size_t> alone = std::nullopt);
  /// Prepares `right_hand_side` for class k, from F as it is now on GEL pools.
  void prepare(std::size_t k);
  /// To be called when F of class k has changed.
  void changed(std::size_t k);
  /// Whether right-hand sides of class k may be others than when it was prepared last. As far as the last round over all classes tells.
  [[nodiscard]] bool reads_anew(std::size_t k) const { return reads_more_ || reads_anew_[k]; }
  /// Whether what is prepared once a round over all classes is all that right-hand sides read beyond their own class: T10n alone, on FIFO
  /// pools and on GEL pools where many are counted at once. They never fall while ends rise.
  [[nodiscard]] bool all_once_a_round() const { return !reads_more_; }

  /// The smallest of T10n and its refinements for node v of class k, in ns; T10j, T10g and T11j rounded up to a multiple of `grid`. What is
  /// no more than `enough` may be anything up to it. The predecessors' F may be newer.
  [[nodiscard]] std::int64_t right_hand_side(std::size_t k, std::size_t v, std::int64_t grid, std::int64_t enough = 0) const {
    return least(k, v, grid, {enough, false});
  }
  /// From now on right-hand sides are T10v's: what T10g adds to it is prepared, but asked for by `late_is_less` alone. Requires T10g.
  void leave_late_out(bool out) { late_is_out_ = out; }
  /// Whether what T10g adds bounds node v of class k by less than `than`; arguments else as of `right_hand_side`.
  [[nodiscard]] bool late_is_less(std::size_t k, std::size_t v, std::int64_t grid, std::int64_t than);
  /// The same from below, but where T10w or T10m decides it may be less: what single phases say.
  [[nodiscard]] std::int64_t likely_right_hand_side(std::size_t k, std::size_t v, std::int64_t grid, std::int64_t enough) const {
    return least(k, v, grid, {enough, true});
  }
  /// Whether that was asked of some since all were to be asked again.
  [[nodiscard]] bool some_likely() const { return some_likely_; }
  void ask_all_again() { some_likely_ = false; }
  /// From now on T23's are rounded up to the grid, too: they may rise by little for long.
  void round_visits_up() { rounds_visits_ = true; }
  /// Only T10v is asked for any more.
  void drop_late();
  /// Whether T23 or T24 is asked of some pool.
  [[nodiscard]] bool some_visits() const;
  /// From now on T24 is asked of all nodes on pools that it is for, not only where jobs may overlap.
  void ask_running_of_all(bool all) { runs_for_all_ = all; }
  /// Lowers ends of class k, which `prepare` was asked of, to what T23 and T24 say of them. Returns whether any are.
  [[nodiscard]] bool lower_by_visits(std::size_t k);
  /// Whether node v of class k ends by F by T23, T24 or T39, as `by` names it.
  [[nodiscard]] bool holds_by(Support by, std::size_t k, std::size_t v) const;

  /// Raises the ends of class k towards the least solution for it alone, as far as that is quicker than by rounds; `prepare` was asked of
  /// it alone. Requires that T10n, or T10g if `late`, is all that is asked. Returns whether T11j decided any.
  bool climb(std::size_t k, std::int64_t grid, bool late);
  /// Whether T24 is asked for where jobs of class k overlap, and they may.
  [[nodiscard]] bool jobs_overlap(std::size_t k) const;

  /// Whether class k passes its limit however far other ends rise: as its longest path alone tells, if all others stay as they are. Asks
  /// classes with one priority on a preemptive pool alone, of T10d. Leaves all as it was.
  [[nodiscard]] bool foresees_no_bound(std::size_t k);

  /// Whether right-hand sides of class k may be less than its ends, where these were found upwards in steps of a grid and no right-hand
  /// side falls while ends rise: what is rounded up to the grid is, or T10w or T10m was asked. For F as it was prepared.
  [[nodiscard]] bool may_settle(std::size_t k) const;

  /// What F of node v of class k is at least. Requires that it is a solution.
  [[nodiscard]] Support support(std::size_t k, std::size_t v) const;
  /// Whether T39 says of some node that it ends before its end.
  [[nodiscard]] bool upstream_says_less();
  /// What limits take from what is said of these ends. Requires that they are a solution.
  [[nodiscard]] std::vector<LeftOut> limits_met();
  /// T10n's a or b of class k as F was when it was prepared last: node * pools + local pool, ns; negative where no path visits the pool.
  [[nodiscard]] std::span<const std::int64_t> reach(std::size_t k) const { return reach_[k]; }
  /// Per slot, for node v of class k.
  [[nodiscard]] std::span<const Tick> waiting(std::size_t k, std::size_t v) const;

  /// What each node of class k adds to a path: e - s, and what blocks it where nothing is preempted. For F as it was prepared.
  [[nodiscard]] std::vector<Tick> blocked_lengths(std::size_t k) const;

  PerClass F;  // the bounds so far, ns

 private:
  static constexpr std::int64_t not_visited = -1;  // in reach_ and ready_

  struct FromBelow {
    std::int64_t enough = 0;  // what is no more may be anything up to it
    bool likely = false;      // by likely phases alone
  };
  [[nodiscard]] std::int64_t least(std::size_t k, std::size_t v, std::int64_t grid, const FromBelow& from) const;
  /// The least of T10j, T10g and T11j where they apply, ns; `no_bound` or more than `enough` where that is no less than `below`.
  [[nodiscard]] std::int64_t local_bound(std::size_t k, std::size_t v, std::int64_t grid, std::int64_t below) const;
  /// T23's or T24's, ns; `no_bound`, or anything that is no less than `below`, where that is of no use.
  /// What is no more than `enough` may be anything up to it.
  [[nodiscard]] std::int64_t visit_bound(std::size_t k, std::size_t v, std::int64_t grid, std::int64_t below, std::int64_t enough) const;
  [[nodiscard]] std::int64_t wait_for_running(std::size_t k, std::size_t v, std::int64_t A, const VisitPool::Asked& asked) const;
  /// T10f's, ns; `no_bound` where it is not of use, anything from `below` on where it is no less.
  [[nodiscard]] std::int64_t under_way_bound(std::size_t k, std::size_t v, std::int64_t grid, std::int64_t below) const;
  /// T39's, ns; `no_bound` where it is no less than `below`.
  [[nodiscard]] std::int64_t upstream_bound(std::size_t k, std::size_t v, std::int64_t grid, std::int64_t below) const;
  [[nodiscard]] std::int64_t aligned_bound(std::size_t k, std::size_t v, bool overlap) const;
  [[nodiscard]] std::int64_t aligned_bound(std::size_t k, std::size_t v, std::int64_t enough, std::int64_t below) const;
  [[nodiscard]] AlignedPaths::Sums aligned_sums(std::size_t k, std::size_t v) const;
  [[nodiscard]] std::int64_t parallel_bound(std::size_t k, std::size_t v) const;
  [[nodiscard]] std::int64_t whole_bound(std::size_t k, std::size_t v, std::int64_t enough) const;
  template <class Next>
  [[nodiscard]] bool rises_past(std::size_t k, std::size_t v, std::int64_t limit, Next next);
  [[nodiscard]] bool asks_fitting(std::size_t k, std::size_t v, std::int64_t bound) const;
  [[nodiscard]] const FittingPaths& fitting() const;
  [[nodiscard]] std::int64_t fitting_bound(std::size_t k, std::size_t v, std::int64_t grid, const FromBelow& from) const;
  [[nodiscard]] std::int64_t family_bound(std::size_t k, std::size_t v, std::int64_t grid, const FromBelow& from, std::int64_t below) const;
  [[nodiscard]] std::int64_t ready_time(std::size_t k, std::size_t v) const;
  void set_ready_times(std::size_t k);
  [[nodiscard]] std::vector<std::int64_t> reached_points(std::size_t k, std::size_t local) const;
  void set_fifo_waiting(std::size_t p);
  [[nodiscard]] OtherOwnJobs other_own_jobs(std::size_t k, std::size_t local) const;
  void prepare_local_sums(const PerClass& ends, const PerClass& ready_times, std::optional<std::size_t> alone);
  void set_gel_waiting(std::size_t k, std::size_t local);
  void set_preceding(std::size_t p);
  void set_blocking(std::size_t k);
  [[nodiscard]] bool is_sliced(std::size_t k, std::size_t v) const { return sliced_[k] && sliced_[k]->concerns(v); }
  [[nodiscard]] std::int64_t sum_over_path(std::size_t k, std::size_t v) const;
  void set_carried(std::size_t k) const;
  [[nodiscard]] std::vector<LeftOut> visits_left_out() const;
  template <class Add>
  void add_fitting_jobs(std::size_t k, std::size_t v, Add add) const;
  [[nodiscard]] std::int64_t carried_bound(std::size_t k, std::size_t v) const;
  [[nodiscard]] bool waits_by_priority(std::size_t k, std::size_t v) const;

  Ticks& ticks_;
  bool has_jitter_;                                            // some releases are late: T12 and what refines it is all that is asked
  std::vector<Pieces> pieces_;                                 // pool -> what may block there
  std::vector<std::optional<JitterPool>> jitter_;              // pool -> T10j where it is wanted and applies
  std::vector<std::optional<LatePool>> late_;                  // pool -> T10g where it is wanted and applies
  std::vector<std::optional<BacklogPool>> carried_by_;         // pool -> T10c where it is wanted and applies
  std::vector<std::optional<VisitPool>> visits_;               // pool -> T23 where it is wanted and applies
  std::vector<bool> runs_;                                     // pool -> whether T24 is wanted and applies
  std::vector<bool> overlap_;                                  // pool -> whether it is, and jobs of some DAG there may overlap
  mutable std::vector<std::optional<RunningPool>> running_;    // pool -> T24 once asked
  std::vector<std::optional<PoolByNode>> by_node_;             // pool -> itself where it is ordered by node
  std::vector<std::optional<PoolByPriority>> by_priority_;     // pool -> itself where it is under fixed priorities
  std::vector<std::optional<UrgentPool>> urgent_;              // pool -> T11j where it is wanted and applies
  std::vector<std::optional<ParallelPaths>> parallel_;         // class -> T10p where it is wanted and applies
  std::optional<WholePaths> whole_;                            // T10d where it is wanted
  bool fits_ = false;                                          // T10w and T10m are asked of all nodes
  mutable WantedEnds wanted_;                                  // of T10w
  mutable std::optional<FittingPaths> fitting_;                // once asked
  mutable std::vector<bool> fitted_;                           // class -> whether it was asked of one of its nodes
  std::vector<std::vector<std::optional<Staircase>>> stairs_;  // class, local pool: GEL pools by DAG alone
  struct OnStairs {
    std::size_t k = 0;
    std::int64_t copies = 1;
    std::int64_t Y = 0;
    const Staircase* stairs = nullptr;
  };
  std::vector<std::vector<OnStairs>> on_stairs_;         // pool -> its users, side by side
  std::vector<std::optional<PrecedingWork>> preceding_;  // pool -> in place of stairs_ where that is quicker
  std::vector<std::optional<SlicedPool>> sliced_pool_;   // pool -> T14j where it is wanted and applies
  std::vector<SlicedPool::Terms> sliced_terms_;          // the same, for the ready times as they are
  std::vector<std::optional<SlicedPaths>> sliced_;       // class -> T14 where it uses a pool with slices
  mutable bool some_likely_ = false;
  bool late_is_out_ = false;
  bool rounds_visits_ = false;
  bool runs_for_all_ = false;
  bool some_sliced_ = false;           // T10v then stays away
  std::vector<Tick> backlog_;          // pool -> T10j's carry and released work, or T10g's carry
  std::vector<bool> stale_;            // class -> whether F has changed since the ready times were taken
  std::vector<bool> moved_;            // class -> whether ready times have changed since what it waits for was last counted
  std::vector<bool> reads_anew_;       // class -> whether ready times or what it waits for have changed since it was prepared last
  bool reads_more_ = true;             // whether right-hand sides read other ends, too
  PerClass A_;                         // bounds on ready times, ns
  PerClass reach_;                     // node * pools + local pool -> a (FIFO) or b (GEL), ns
  PerClass ready_;                     // node * pools + local pool -> max of A_q over the same q, ns
  TicksPerClass waiting_;              // node * slots + slot
  mutable TicksPerClass carried_;      // the same, by T10c where that is less; empty where it is on no pool
  mutable std::vector<bool> carries_;  // class -> whether that is known: asked for, it is found
  /// Class, node: whether T10c said least when it was last asked, and so is asked first.
  mutable std::vector<std::vector<bool>> carried_first_;
  TicksPerClass own_;                    // the same, of the DAG's own jobs; on pools ordered by node or by fixed priorities of all
  std::optional<AlignedPaths> aligned_;  // T10a and T10v where they are wanted and affordable
  std::optional<UnderWay> under_way_;    // T10f where T10a and T23 are
  std::vector<bool> under_way_asked_;    // class -> whether it is of use, for F as it was prepared
  UpstreamPools upstream_;               // pool -> T39 where it is wanted and applies
  std::vector<bool> upstream_asked_;     // class -> whether it is asked of its paths
  std::vector<bool> aligns_;             // class -> whether T10a may be less than T10n
};

}  // namespace rta::analysis::path
