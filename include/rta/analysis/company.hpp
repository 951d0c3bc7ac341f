// C1: durations that were measured alone, with what the kernels that one can meet add to them (docs/theory/contention.md).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// Of each node whether it may be unfinished when its DAG's next job is released: F > T. What is over by then meets nothing of another job
/// of its DAG that is over in time, too.
using Lasting = PerNode<bool>;

/// All of them.
[[nodiscard]] Lasting all_last(const TaskSet& task_set);

/// Whether blocks of two kernels of DAG d on one GPU, or of two jobs of one kernel, may run at the same time. Not if one precedes the other
/// and both are over before the next job (rules 1 and 2), if one thread plays them (rule 4), or if `u` = `v` is sequential.
[[nodiscard]] bool can_meet(const Dag& dag, const std::vector<bool>& lasting, NodeId u, NodeId v);

/// A kernel and, of it, what its company does.
struct Met {
  DagId dag = 0;
  NodeId node = 0;
  bool same_pool = true;  // false: in another partition of the GPU, and so on other SMs
};
/// The kernels that v of DAG d can meet, in order: of other DAGs all, whatever their phases.
[[nodiscard]] std::vector<Met> company_of(const TaskSet& task_set, const Lasting& lasting, DagId d, NodeId v);

/// L(S): the task set with the durations that were measured alone as long as company makes them, S the pairs that `lasting` leaves; all
/// else is as it was, and nothing of it is measured alone. Throws `Overflow`.
[[nodiscard]] std::shared_ptr<const TaskSet> with_company(const TaskSet& task_set, const Lasting& lasting);

/// How the durations of a proof came about.
struct CompanyProof {
  std::shared_ptr<const TaskSet> alone;  // as it was given
  Lasting lasting;
  bool from_below = false;  // on completion; else from all pairs
  std::size_t rounds = 1;   // analyses
  /// C1's durations, where those of the proof are shorter by C2: company is there for a time only; else null.
  std::shared_ptr<const TaskSet> by_pairs = nullptr;
  /// From below: what a round found first to last beyond its DAG's period, and its bound there if it had one.
  struct First {
    DagId dag = 0;
    NodeId node = 0;
    std::optional<Time> F;
  };
  std::optional<First> first;
};

}  // namespace rta::analysis
