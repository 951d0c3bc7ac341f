// T39: what a pool has left when a path's waiting there begins, counted by the ends of nodes on other pools alone.
//
// Theorem. Let p be m processors (or an engine) under FIFO or preemptive GEL by DAG, U_p <= c <= m, c whole, v of DAG k, e_v > 0, lim_d = a
// of T10n on FIFO pools, min(b, Y_k - Y_d) on GEL pools. For a node u on p let phi_u be the largest F of its ancestors that are not on p,
// and D_u = C_u + the C of all nodes w on p after u such that every node between u and w is on p. Let
//
//   carry  = the sum of the c - 1 largest D_u, each at most ceil(F_u/T_d) times
//   f_d(y) = C(d), all of d on p, for y >= 0; for y < 0 on GEL pools the same, on FIFO pools the N(y) largest C of each chain of d, N(y)
//            being the most nodes q on p with A_q >= -y that a path to v has; 0 for y < -lim_d
//   H_d(x) = the most of  sum over y_i <= x of f_d(y_i) + sum over y_i > x of (sum of C_u over the u on p with phi_u >= y_i - x)
//            over ages y_1 < y_2 < ... at distances of T_d and more; on GEL pools none below -lim_d; of k, 0 is one of them
//   W      = sup over x >= 0 of  carry + sum over d of H_d(x) - c x
//
// Then a path lambda to v waits on p for at most (W - C of lambda's nodes on p - C of v's strict descendants on p)/m. Proof:
// docs/theory/upstream.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// One pool loaded to at most its capacity.
class UpstreamPool {
 public:
  using Ends = std::vector<std::vector<std::int64_t>>;  // class, node: ns

  [[nodiscard]] static bool applies(const Ticks& ticks, std::size_t pool);
  UpstreamPool(const Ticks& ticks, std::size_t pool);

  void changed(std::size_t k) { users_[user_of_[k]].stale = true; }
  /// For all ends as they are.
  void prepare(const Ends& F);

  /// Of one DAG: work of jobs released before the pool was busy, and since.
  struct Left {
    Wide before = 0;
    Wide since = 0;
    [[nodiscard]] Wide sum() const { return before + since; }
  };
  /// W: all of these and the carry, less what the pool has worked off. In ns of one processor.
  struct Work {
    std::vector<Left> of_class;  // in the order of `Ticks::users`; of one DAG of it, but not the one that asks
    Left own;                    // of that one
    Wide carry = 0;
    std::int64_t busy = 0;  // x, ns
    bool longer = false;    // or any longer: counted in fractions of jobs
    Wide processors = 0;    // c
    Wide total = 0;
  };
  /// Where it is too far to look.
  static constexpr Wide unknown = Wide{1} << 120;
  /// W of paths to node v of class k, by whose a or b `reach` they wait there, ns; v's strict descendants are still in it. Anything from
  /// `most` on where it is no less.
  [[nodiscard]] Wide left(std::size_t k, std::size_t v, std::int64_t reach, Wide most = unknown) const;
  [[nodiscard]] Work work(std::size_t k, std::size_t v, std::int64_t reach) const;
  /// The C of v's strict descendants on the pool.
  [[nodiscard]] Wide after(std::size_t k, std::size_t v) const { return users_[user_of_[k]].after[v]; }
  [[nodiscard]] Wide processors() const { return m_; }

  /// From the age `at` on a job does so much more: f rises by it.
  struct Rise {
    std::int64_t at = 0;
    Wide work = 0;
    friend bool operator==(const Rise&, const Rise&) = default;
  };

 private:
  struct Node {
    std::uint32_t u = 0;
    Wide C = 0;
    Wide D = 0;
    std::int64_t phi = -1;  // ns; negative: there is none
    std::int64_t jobs = 0;  // ceil(F/T)
  };
  /// The first age past x is x + z: what jobs from before do is `work`.
  struct Phase {
    std::int64_t z = 0;
    Wide work = 0;
    friend bool operator==(const Phase&, const Phase&) = default;
  };
  struct User {
    std::size_t k = 0;
    Wide C = 0;
    std::vector<Node> nodes;
    std::vector<Wide> after;     // of each node of the class
    std::vector<Wide> in_turns;  // N -> the N largest C of each chain
    std::vector<Phase> phases;   // z rises to T and work falls
    /// FIFO: by which ready times at least, and node -> the most nodes on the pool that are so late on a path to it.
    std::vector<std::int64_t> ready;
    std::vector<std::vector<std::uint32_t>> visits;
    bool stale = true;
  };
  class Sum;
  struct Known {
    std::int64_t reach = 0;
    std::vector<std::uint32_t> turns;
    std::size_t version = SIZE_MAX;
    Wide total = 0;
  };

  [[nodiscard]] std::vector<std::uint32_t> turns_of(const User& user, std::size_t v) const;
  [[nodiscard]] std::vector<Rise> rises(const User& own, const User& other, std::int64_t reach,
                                        const std::vector<std::uint32_t>& turns) const;
  void set_static(User& user);
  [[nodiscard]] bool set_ends(User& user, const std::vector<std::int64_t>& F);
  void set_turns(User& user, const std::vector<std::int64_t>& F);
  void set_carry();

  const Ticks& ticks_;
  std::size_t pool_;
  bool fifo_ = true;
  Wide m_ = 1;
  std::vector<Wide> c_;      // ceil(U), m
  std::vector<Wide> carry_;  // of each
  std::vector<User> users_;
  std::vector<std::size_t> user_of_;  // class
  std::size_t version_ = 0;
  std::int64_t repeats_ = 0;                       // a common multiple of all periods, ns; 0: far
  mutable std::vector<std::vector<Known>> known_;  // user
};

}  // namespace rta::analysis::path
