// T10n of DAGs that are all on one preemptive pool of processors, from a few arrays: for sweeps, which ask for so many sets that building a
// system and a proof of each would take most of the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

/// Holds working memory, so that one serves for many sets.
class OnePool {
 public:
  struct Sporadic {
    std::int64_t T = 1;
    std::int64_t Y = 0;      // relative priority point; only differences matter
    std::int64_t limit = 0;  // what no end may pass
  };                         // ns

  /// For another set, on m processors. `order`: `fifo`, or `gel` with a priority point per DAG.
  void clear(std::uint32_t m, Order order);
  /// A DAG: per node its C, ns; edges from nodes to later ones, in order of where they lead.
  void add(const Sporadic& dag, std::span<const std::int64_t> C, std::span<const Precedence> edges);

  enum class Found : std::uint8_t {
    bounds,      // the least solution, as `node_bounds` finds it with Refinement::T10n
    past_limit,  // there is none within the limits
    unknown,     // numbers leave their range, or the pool is loaded to its capacity
  };
  /// R: end to end, one per DAG, ns.
  [[nodiscard]] Found solve(std::vector<std::int64_t>& R);

 private:
  struct Dag {
    Sporadic sporadic;
    std::size_t first = 0, end = 0;  // nodes
    std::int64_t volume = 0;         // of a job
    std::int64_t latest = 0;         // the largest F
    std::int64_t whole_jobs = 0;     // sum of (ceil(F/T) - 1) C
    std::int64_t earlier = 0;        // the same without what is below 0: its own jobs before the one in question
    std::uint32_t moved = 0;         // when its ends last changed, as a count of solved DAGs
    std::uint32_t solved = 0;
    std::int64_t least_end = 0;  // of any node, as far as is known before nodes are looked at
    std::int64_t least_base = 0;
    std::int64_t constant = 0;  // what others do however long its nodes wait, when it was solved
  };
  /// F - (ceil(F/T) - 1) T: its nodes' jobs within some time are then counted by a search.
  struct Remainder {
    std::int64_t time = 0;  // within 1 .. T
    std::int64_t work = 0;  // sum of C of the nodes that have no smaller one
  };
  /// What one DAG does while a node of another waits until b, for b within `from` .. `to`.
  struct Work {
    const Dag* dag = nullptr;
    std::int64_t latest = 0;  // min(b, latest) counts
    std::int64_t from = 0, to = -1;
    std::int64_t value = 0;
  };

  [[nodiscard]] bool in_range() const;
  [[nodiscard]] std::int64_t least_others(const Dag& own) const;
  void start_from_whole_dags();
  [[nodiscard]] bool solve_all();
  [[nodiscard]] bool reads_anew(const Dag& own) const;
  void set_lengths(const Dag& dag, std::span<const Precedence> edges);
  void set_remainders(Dag& dag);
  [[nodiscard]] std::int64_t before_release(const Dag& dag, std::int64_t x) const;
  [[nodiscard]] std::int64_t latest_release(const Dag& own, const Dag& dag) const;
  [[nodiscard]] std::int64_t constant_work(const Dag& own) const;
  void set_others(Dag& own);
  void count(Work& work, std::int64_t b) const;
  [[nodiscard]] std::int64_t others(const Dag& own, std::int64_t b);
  [[nodiscard]] bool raise(Dag& dag, bool& changed);
  [[nodiscard]] std::int64_t raised(const Dag& dag, std::size_t v);

  std::uint32_t m_ = 1;
  Order order_ = Order::gel;
  bool in_range_ = true;
  std::vector<Dag> dags_;
  std::vector<std::int64_t> C_, F_;
  std::vector<std::int64_t> base_;   // (m - 1) times the longest sum of C over paths to the node, and its DAG's work but strict descendants
  std::vector<std::int64_t> reach_;  // the largest F, under FIFO ready time, of the node and its ancestors
  std::vector<Remainder> remainders_;  // of each DAG the largest first
  std::vector<char> is_last_;          // it has no successor
  std::vector<std::uint32_t> predecessors_;
  std::vector<std::size_t> first_predecessor_;
  std::vector<std::uint64_t> below_;  // of one DAG: per node the set of its strict descendants
  std::vector<std::size_t> turns_;
  std::vector<std::int64_t> others_;  // what all other DAGs do while the node waits
  std::vector<Work> growing_;         // of the DAGs that do the more, the longer the nodes of the one in question wait
  Work all_;                          // of both
  std::uint32_t now_ = 0;
};

}  // namespace rta::analysis::path
