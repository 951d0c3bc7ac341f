// Coarse-grained and monolithic variants. A group's kernels are issued from inside its job, so they are enqueued with a jitter of up to the
// group's own bound, which depends on their bounds: the least fixed point from below. It is valid: at the first instant at which some
// kernel or group exceeds its bound, everything enqueued before was within it.
#include <algorithm>
#include <utility>

#include "analysis/policies/granularity.hpp"
#include "analysis/policies/offset_proof.hpp"
#include "analysis/policies/policies.hpp"

namespace rta::analysis {
namespace {

constexpr std::size_t most_proofs = 1000;

/// The task set with the C of every group set to its CPU part plus its suspension.
std::shared_ptr<const TaskSet> with_suspension(const Grouped& grouped, const PerNode<Time>& suspended) {
  const TaskSet& base = grouped.task_set;
  std::vector<Dag> dags;
  for (DagId d = 0; d < base.dags().size(); ++d) {
    const Dag& dag = base.dags()[d];
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (NodeId v = 0; v < nodes.size(); ++v) {
      if (auto* cpu = std::get_if<CpuDemand>(&nodes[v].demand)) cpu->C += suspended[d][v];
    }
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::vector<Edge>(dag.edges().begin(), dag.edges().end()),
                      dag.attributes());
  }
  return std::make_shared<const TaskSet>(base.name(), std::vector<Pool>(base.pools().begin(), base.pools().end()), std::move(dags));
}

class Rounds {
 public:
  Rounds(const TaskSet& fine, const Options& options)
      : fine_(fine),
        options_(options),
        grouped_(regroup(fine, options.granularity)),
        jitter_(grouped_.awaited.size()),
        response_(grouped_.awaited.size()),
        tied_(fine.pools().size(), false) {
    for (const AwaitedNode& awaited : grouped_.awaited) {
      tied_[origin(awaited).pool] = true;
      tied_[grouped_.task_set.dags()[awaited.dag].nodes()[awaited.group].pool] = true;
    }
  }

  Proof prove() {
    for (std::size_t round = 0;; ++round) {
      bound_pools();
      // Before the fixed point is reached, nothing is proven on pools that wait for each other.
      for (PoolId p = 0; p < results_.size(); ++p) {
        if (tied_[p] && !results_[p].proof.bounded()) return without_tied(reason::TiedTo{fine_.pools()[p].name});
      }
      if (!grow()) return proof();
      if (round == most_proofs) return without_tied(reason::StillGrows{round, true});
    }
  }

  [[nodiscard]] bool has_lp() const {
    return std::ranges::any_of(fine_.pools(), [](const Pool& pool) {
      const auto* cpu = std::get_if<CpuPool>(&pool.resource);
      return cpu != nullptr && cpu->scheduler == Scheduler::lp && cpu->preemptive;
    });
  }

 private:
  [[nodiscard]] const Node& origin(const AwaitedNode& awaited) const { return fine_.dags()[awaited.dag].nodes()[awaited.origin]; }

  /// All pools, with the jitter and the suspensions so far.
  void bound_pools() {
    task_set_ = with_suspension(grouped_, suspension(grouped_, response_));
    nodes_ = nodes_of_pools(*task_set_);
    set_priority_points(*task_set_, nodes_);
    place_.clear();
    for (std::size_t a = 0; a < grouped_.awaited.size(); ++a) {
      const AwaitedNode& awaited = grouped_.awaited[a];
      const Node& node = origin(awaited);
      place_.emplace_back(node.pool, nodes_[node.pool].size());
      nodes_[node.pool].push_back({.dag = awaited.dag,
                                   .id = awaited.origin,
                                   .awaited = true,
                                   .node = &node,
                                   .T = fine_.dags()[awaited.dag].period(),
                                   .Y = {},
                                   .J = jitter_[a]});
    }
    results_.clear();
    for (PoolId p = 0; p < nodes_.size(); ++p) {
      const bool late = some_late(*task_set_, nodes_[p]);
      results_.push_back(late ? with_load_of_periods(*task_set_, p, nodes_[p], options_, reason::CloserReleases::Why::groups)
                              : pool_bounds(p, task_set_->pools()[p], nodes_[p], options_));
    }
  }

  /// Feeds the bounds back; false when nothing changed: the fixed point is reached.
  bool grow() {
    std::vector<Time> response(response_.size());
    std::vector<Time> jitter(jitter_.size());
    const auto dags = dags_at_offsets(*task_set_, nodes_, results_);
    for (std::size_t a = 0; a < grouped_.awaited.size(); ++a) {
      response[a] = results_[place_[a].first].bound(place_[a].second)->R;
      jitter[a] = dags[grouped_.awaited[a].dag].nodes[grouped_.awaited[a].group].bound->R;
    }
    if (response == response_ && jitter == jitter_) return false;
    response_ = std::move(response);
    jitter_ = std::move(jitter);
    return true;
  }

  Proof without_tied(const Reason& reason) {
    for (PoolId p = 0; p < results_.size(); ++p) {
      if (!tied_[p]) continue;
      // A pool of which some tasks have bounds has its own reason why others have none; those bounds rest on other pools all the same.
      withdraw(results_[p], p, results_[p].proof.bounded() ? reason : as_far_as_known(results_[p].proof.none->reason));
    }
    return proof();
  }

  /// Before the fixed point numbers of groups are on their way.
  static Reason as_far_as_known(Reason reason) {
    if (auto* overload = std::get_if<reason::Overload>(&reason)) overload->awaiting = overload->kind == PoolKind::cpu;
    if (auto* above = std::get_if<reason::AboveOne>(&reason)) above->awaiting = true;
    if (auto* waits = std::get_if<reason::MayWait>(&reason)) waits->awaiting = waits->kind == PoolKind::cpu;
    return reason;
  }

  Proof proof() {
    tell_awaiting();
    return proof_at_offsets(task_set_, nodes_, std::move(results_));
  }

  /// The load of processors is what their nodes ask for.
  void tell_awaiting() {
    const PoolNodes own = nodes_of_pools(grouped_.task_set);
    for (PoolId p = 0; p < results_.size(); ++p) {
      if (fine_.pools()[p].kind() != PoolKind::cpu || own[p].empty()) continue;
      std::vector<PoolNode> nominal(own[p].begin(), own[p].end());
      for (PoolNode& node : nominal) node.T = fine_.dags()[node.dag].nominal_period();
      PoolProof& pool = results_[p].proof;
      const double load = pool_load(fine_.pools()[p], nominal, nullptr, {}).utilization;
      pool.awaiting = pool.bounded() ? std::max(0.0, pool.utilization - load) : 0;
      pool.utilization = load;
    }
  }

  const TaskSet& fine_;
  const Options& options_;
  Grouped grouped_;
  std::vector<Time> jitter_, response_;  // of the awaited nodes
  std::vector<bool> tied_;               // pools of awaited nodes and of the groups that await them
  std::shared_ptr<const TaskSet> task_set_;
  PoolNodes nodes_;
  std::vector<std::pair<PoolId, std::size_t>> place_;  // of each awaited node among those of its pool
  std::vector<PoolResult> results_;
};

}  // namespace

Proof prove_grouped(std::shared_ptr<const TaskSet> task_set, const Options& options) {
  Rounds rounds(*task_set, options);
  Proof proof = rounds.prove();
  proof.release = Release::grouped;
  proof.ungrouped = std::move(task_set);
  if (rounds.has_lp()) {
    proof.warnings.emplace_back("LP chooses points for tasks with intra-task parallelism; G-EDF's points are used for the groups");
  }
  return proof;
}

}  // namespace rta::analysis
