// T24: how many run at once while a node waits once, on processors with preemption.
//
// Theorem. Let v of DAG k, e_v > 0, be on a preemptive pool p of m processors by GEL by DAG or under fixed priorities, A_v the largest F of
// its predecessors. Of a job of age x at r + A_v node u counts if x < F_u and
//   GEL: d != k: x >= A_v - min(F_v, Y_k - Y_d);  k's earlier jobs, A_v + j T_k old
//   fixed priorities: u is more urgent than v: x > A_v - F_v;  as urgent: x >= 0 (equals in any order: as if more urgent)
// For any partition of each DAG's nodes on p into chains let Z_d be the sum, over the jobs of d (of k, all but J), of how many of their
// chains have a counted node with F_u > z, at the ages z that jobs have at least while v waits: z_d + j T_d, z_d = max(0, A_v - min(F_v,
// Y_k - Y_d)) under GEL, else 0; of k's earlier jobs A_v + j T_k, of its ceil(F_v/T_k) - 1 later ones (fixed priorities) j T_k. n_u: how
// many jobs count u at most. Then v waits for at most the largest w with
//
//   m w <= sum over chains of min(w, sum of C_u of J's nodes on p that are parallel to v, and no less urgent)
//          + sum over d of min(Z_d w, sum over u of n_u min(C_u, w))
//
// and F_v >= A_v + w + e_v is enough. If all Z and J's own chains sum to less than m, v does not wait. Proof: docs/theory/path.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// One pool, for F as it is asked.
class RunningPool {
 public:
  using Ends = std::vector<std::vector<std::int64_t>>;  // class, node: ns

  [[nodiscard]] static bool applies(const Ticks& ticks, std::size_t pool);
  RunningPool(const Ticks& ticks, std::size_t pool);

  /// What may run of one DAG's jobs meanwhile: at most `at_once` w, and the sum of n min(C, w).
  struct Jobs {
    std::size_t k = 0;
    std::int64_t copies = 1;
    bool of_itself = false;  // other jobs of the DAG in question
    Wide at_once = 0;
    std::size_t first = 0, last = 0;  // of Parts::counted
  };
  /// At a w, and how much more it is beyond for each ns at most.
  struct Work {
    Wide sum = 0;
    Wide slope = 0;
  };
  struct Parts {
    std::vector<std::int64_t> beside;                            // of J, per chain
    std::vector<Jobs> jobs;                                      // the own DAG's other jobs last, where some count
    std::vector<std::pair<std::int64_t, std::int64_t>> counted;  // n, C
    [[nodiscard]] Work work(const Jobs& of, std::int64_t w) const;
    [[nodiscard]] Work work(std::int64_t w) const;
  };
  [[nodiscard]] Parts parts(std::size_t k, std::size_t v, const Ends& F, std::int64_t A) const;
  /// w, ns; `no_bound` where it is no less than `most`; where it is no more than `enough`, anything up to it.
  [[nodiscard]] std::int64_t waiting(std::size_t k, std::size_t v, const Ends& F, std::int64_t A, std::int64_t most = no_bound,
                                     std::int64_t enough = -1) const;
  [[nodiscard]] std::int64_t processors() const { return m_; }

 private:
  struct Use {
    std::size_t k = 0;
    std::vector<std::vector<std::uint32_t>> chains;
    std::vector<std::vector<std::vector<std::uint32_t>>> beside;  // node, chain: what is parallel to it, and no less urgent
  };
  void set(Parts& parts, std::size_t k, std::size_t v, const Ends& F, std::int64_t A) const;
  void add_others(const Use& use, std::size_t k, std::size_t v, const Ends& F, std::int64_t A, Parts& parts) const;
  void add_own(const Use& use, std::size_t v, const Ends& F, std::int64_t A, Parts& parts) const;

  const Ticks& ticks_;
  std::int64_t m_ = 1;
  bool by_priority_ = false;
  bool equals_any_ = false;
  std::vector<Use> uses_;
  std::vector<std::size_t> use_of_;  // class
  mutable Parts asked_;              // of the node that was asked for last
};

}  // namespace rta::analysis::path
