// T10f: what of jobs that overlap can be ready at once, along a whole path.
//
// Theorem. Let v of DAG k, e_v > 0, and all pools of k be FIFO or preemptive. On a FIFO pool p as T23 has it let, for each node q of k on
// p, w'_q be T23's w_q and B'_d,q what T23's G counts at w = w'_q of the jobs of d, but with k's other jobs at ages j T_k for all j >= 0
// but floor(A_q/T_k), as q may be ready any time up to A_q. While nodes of a path lambda to v wait on p there is executed
//   of d != k, and of k's other jobs:  at most the sum of B'_d,q over the q of lambda on p,
//   of J but for lambda's nodes:       at most the sum over these q of T23's part of G of what is parallel to q, and at most the vol of all
//                                      nodes on p that are parallel to v or to an ancestor of v on p;
//   of lambda's nodes themselves:      the sum over these q of (vol_q - s_q)/e_q min(e_q, w'_q).
// Each may stand in T10a's sum in place of what is counted of the same work: then F_v >= that sum, which is over e in place of e - s where
// the last two stand for J's own work, is enough. Proof: docs/theory/path.md.
//
// Asked of DAGs all of whose pools are FIFO: beside preemptive ones it takes more time than it gains.
//
// Right-hand sides never fall while ends rise. Of all paths to v the most of each sum is taken by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/path/system/ticks.hpp"
#include "analysis/path/visit/visit.hpp"

namespace rta::analysis::path {

/// What paths to one node wait for on FIFO pools at most; `unbounded` where nothing is said.
struct UnderWayAt {
  std::size_t pools = 0;     // of the class
  std::vector<Tick> others;  // class * pools + local pool: of all jobs of one DAG
  std::vector<Tick> own;     // local pool: of the DAG's other jobs
  std::vector<Tick> itself;  // local pool: of the job itself, where paths count e in place of e - s
  bool knows_itself = true;  // on all pools of which anything is said
  [[nodiscard]] Tick of(std::size_t d, std::size_t local) const { return others[d * pools + local]; }
};

class UnderWay {
 public:
  using Ends = VisitPool::Ends;
  using Pools = std::vector<std::optional<VisitPool>>;

  /// Keeps both.
  UnderWay(const Ticks& ticks, const Pools& visits);

  [[nodiscard]] bool applies(std::size_t k) const { return classes_[k].applies; }
  /// Where more jobs of a DAG may be under way than this it takes more time than it gains, and nothing is said.
  static constexpr std::int64_t most_jobs = 8;
  /// Whether it can say less than T30: on some FIFO pool of the class jobs of a DAG may overlap, and not too many.
  [[nodiscard]] bool is_of_use(std::size_t k, const Ends& F) const;
  /// Classes on FIFO pools of the class of which too many jobs may be under way there, and how many.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::int64_t>> too_many(std::size_t k, const Ends& F) const;
  /// To be called when F has changed, of the class or of others on its pools.
  void changed(std::size_t k) { classes_[k].known = false; }
  /// Of node v of class k; nothing where too many jobs are under way. Pools are prepared.
  [[nodiscard]] std::optional<UnderWayAt> at(std::size_t k, std::size_t v, const Ends& F) const;
  /// The paths to v, of which each node on a FIFO pool adds e, and others e - s.
  [[nodiscard]] std::span<const PoolSet> sets_of(std::size_t k, std::size_t v) const { return in_full(k).pool_sets_of(v); }
  [[nodiscard]] const Class& in_full(std::size_t k) const;
  /// What each node of class k adds to such a path.
  [[nodiscard]] std::vector<Tick> lengths(std::size_t k) const;

 private:
  struct OfClass {
    bool applies = false;
    std::optional<Class> in_full;           // once asked, as is the next
    std::vector<std::vector<Tick>> beside;  // local pool, node: vol of what is parallel to it or to an ancestor there; else empty
    bool known = false;
    bool too_many = false;
    std::vector<std::vector<Wide>> most;  // local pool, node * columns + column: over the paths to it
  };
  /// The columns of a pool: of each of its users, then these.
  enum Column : std::size_t { own, parallel, rest, columns };
  /// How many jobs of each class on each FIFO pool of class k may be under way there.
  template <class Visit>
  void visit_jobs(std::size_t k, const Ends& F, Visit visit) const;
  void set_beside(std::size_t k, std::size_t local, const class Ancestors& ancestors) const;
  void set(std::size_t k, const Ends& F) const;
  [[nodiscard]] bool add_visit(std::size_t k, std::size_t v, std::size_t p, const Ends& F, std::span<Wide> row) const;
  [[nodiscard]] Tick as_time(Wide work, const VisitPool& pool) const;

  const Ticks& ticks_;
  const Pools& visits_;
  mutable std::vector<OfClass> classes_;
};

}  // namespace rta::analysis::path
