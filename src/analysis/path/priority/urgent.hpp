// T11j: bounds up to full load on preemptive pools under fixed priorities, whose nodes are sporadic with release jitter A_u.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// One pool. Nodes of one priority form a level, the most urgent level first.
class UrgentPool {
 public:
  using PerClass = std::vector<std::vector<std::int64_t>>;  // class -> one value per node, ns

  UrgentPool(const Ticks& ticks, std::size_t pool);

  /// Takes the ends and ready times to count with. `alone`: the only class that is asked for, and whose ends change, until the next time.
  void prepare(const PerClass& F, const PerClass& A, std::optional<std::size_t> alone = std::nullopt);

  /// The same of class k, the one asked for, where its nodes are one level.
  void rise(std::size_t k, const PerClass& F, const std::vector<std::int64_t>& A);

  /// The sum of T11j's first form: (carry + work + own)/rest, in ns; the first three in ticks x scale_.
  struct Demand {
    Wide carry = 0;
    Wide work = 0;
    Wide own = 0;
    Wide rest = 1;
    [[nodiscard]] std::int64_t total() const { return to_time(ceil_div(carry + work + own, rest)).count(); }
  };
  /// For node v of class k; nothing where its level and those above load the pool beyond its capacity, or so nearly that it is far too
  /// long.
  [[nodiscard]] std::optional<Demand> demand(std::size_t k, std::size_t v) const;

  /// The second form, m = 1: a busy interval that begins `before` v is ready lets v end by `length` after that, ns.
  struct Busy {
    std::int64_t before = 0;
    std::int64_t length = 0;
  };
  /// Nothing where the pool has several processors, where `below` is no more than the result, or after too many steps.
  [[nodiscard]] std::optional<Busy> busy(std::size_t k, std::size_t v, std::int64_t below = no_bound) const;
  /// Whether it has nothing because of its steps.
  [[nodiscard]] bool gives_up(std::size_t k, std::size_t v) const;
  static constexpr std::int64_t most_steps = 20'000;  // of one node's second form
  /// Its z(x) for x = 0 and each jump after it, up to the stop; none where `busy` has nothing.
  [[nodiscard]] std::vector<std::int64_t> ends(std::size_t k, std::size_t v) const;
  /// Jobs of node u of class c that the second form counts for v; `own`: u is v, of the same DAG.
  [[nodiscard]] std::int64_t jobs(std::size_t k, std::size_t v, std::size_t c, std::size_t u, const Busy& busy, bool own) const;

 private:
  struct Use {
    std::size_t c = 0;
    std::uint32_t u = 0;
    std::uint32_t priority = 0;
    std::int64_t T = 0;  // ns
    Tick work;           // of all copies
    std::int64_t C = 0;  // of all copies on one processor, ns
    Wide rate = 0;       // scale_ / T, rounded up
    bool late = false;   // T12j: its DAG has release jitter, which is part of A
    std::int64_t A = 0;  // ns
    std::size_t level = 0;
  };
  struct Level {
    std::size_t begin = 0;  // uses_[begin, end)
    std::size_t end = 0;
    Wide load_before = 0;  // of the levels above, 1/full_ of the pool
    Wide load = 0;         // with this one
    std::int64_t servers = 0;
    Wide carry = 0;  // ticks x scale_
    Wide work = 0;   // of all down to this level, ticks x scale_
  };
  struct Piece {
    std::size_t use = 0;
    Tick length;
  };

  /// The node that is asked about.
  struct Asked {
    std::size_t use = 0;
    std::int64_t C = 0;         // ns
    std::int64_t at_least = 0;  // C, but 1 ns where it is 0
  };

  [[nodiscard]] bool prepare(std::size_t level, const PerClass& F, const PerClass& A);
  [[nodiscard]] Wide carry(const Level& level, const PerClass& F) const;
  [[nodiscard]] const Level& level_of(std::size_t k, std::size_t v) const { return levels_[uses_[use_of_[k][v]].level]; }
  [[nodiscard]] bool above(std::size_t use, const Level& level) const { return use < (equals_any_ ? level.end : level.begin); }
  /// Calls visit(x, z(x)) for x = 0 and each jump after it, up to the stop; false where it did not get there, or visit returned false.
  template <class Visit>
  [[nodiscard]] bool visit_starts(std::size_t k, std::size_t v, Visit visit) const;
  [[nodiscard]] std::int64_t work_of_equals(const Asked& v, std::int64_t x) const;
  /// The least z >= from with z >= the work of the level and those above that is ready within z, if equals come within x of the start.
  [[nodiscard]] std::optional<std::int64_t> end_of_work(const Asked& v, std::int64_t x, std::int64_t from, std::int64_t& steps) const;
  [[nodiscard]] std::int64_t next_start(const Asked& v, std::int64_t x) const;
  /// That become ready within x.
  [[nodiscard]] static std::int64_t ready_jobs(const Use& u, std::int64_t x) { return (x + u.A) / u.T + 1; }
  /// The least x at which they are more.
  [[nodiscard]] static std::int64_t next_ready(const Use& u, std::int64_t x) { return ready_jobs(u, x) * u.T - u.A; }
  /// Of v's own DAG, by ready time: those released before it, itself, and those released later that are ready before.
  [[nodiscard]] static std::int64_t own_jobs(const Use& v, std::int64_t x) { return v.late ? ready_jobs(v, x) : x / v.T + 1 + v.A / v.T; }

  const Ticks& ticks_;
  bool equals_any_ = false;
  std::int64_t processors_ = 1;
  Wide scale_ = 1;  // a common multiple of the periods where one is small enough
  Wide full_ = 1;   // Q scale_
  std::vector<Use> uses_;
  std::vector<Level> levels_;
  std::vector<Piece> pieces_;                        // longest first
  std::vector<std::vector<std::size_t>> use_of_;     // class, node
  std::vector<std::vector<std::size_t>> levels_of_;  // class, the most urgent first
  std::optional<std::size_t> alone_;                 // of the last time
};

}  // namespace rta::analysis::path
