// End-to-end bounds of T10 and its refinements, taken apart: the terms of the inequalities that their critical path satisfies.
#include <algorithm>

#include "analysis/advice/parts.hpp"
#include "analysis/path/critical_path.hpp"
#include "analysis/path/derivation/carrier.hpp"
#include "rta/analysis/path/fitting.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

class PathParts {
 public:
  /// `at`: the DAG's place in the evidence.
  PathParts(const Proof& proof, const PathEvidence& evidence, DagId d, std::size_t at, Parts& parts)
      : dag_(proof.task_set->dags()[d]),
        evidence_(evidence),
        bounds_(evidence.bounds),
        at_(at),
        parts_(parts),
        R_{bounds_.R},
        derivations_(derivations_of(bounds_, R_)) {}

  /// Segment by segment, from the sink that ends last; source first.
  std::vector<NodeId> add() {
    NodeId last = last_of_all();
    for (;;) {
      segment_ = nodes_of_segment(bounds_, at_, bounds_.segments[at_][last]);
      add_end(bounds_.system.place[at_][last]);
      const auto before = last_before(bounds_.segments[at_][last]);
      if (!before) break;
      last = *before;
    }
    std::ranges::reverse(path_);
    return path_;
  }

 private:
  NodeId last_of_all() const {
    const auto& F = bounds_.F[at_];
    return static_cast<NodeId>(std::ranges::max_element(F) - F.begin());
  }

  /// The node outside a segment that decides its offset.
  std::optional<NodeId> last_before(std::size_t segment) const {
    std::optional<NodeId> before;
    for (const Edge& edge : dag_.edges()) {
      if (bounds_.segments[at_][edge.to] != segment || bounds_.segments[at_][edge.from] == segment) continue;
      if (!before || bounds_.F[at_][edge.from] > bounds_.F[at_][*before]) before = edge.from;
    }
    return before;
  }

  /// The end of a node after the release of its segment.
  void add_end(PathSystem::Place place) {
    if (bounds_.bounds.support.empty()) return add_sum(derivations_.of(place.dag), place.dag);
    const PathSystem::Place by = carrier(bounds_, place);
    switch (bounds_.bounds.support[by.dag][by.node]) {
      case path::Support::late: return add_late(by);
      case path::Support::given: return add_given(by);
      case path::Support::path:
      case path::Support::fixed:
      case path::Support::sliced:
      case path::Support::successor: return add_sum(derivations_.of(by.dag, by.node), by.dag);
      case path::Support::carried: return add_sum(*derivations_.carried(by.dag, by.node), by.dag);
      case path::Support::parallel: return add_sum(*derivations_.parallel(by.dag, by.node), by.dag);
      case path::Support::whole: return add_sum(*derivations_.whole(by.dag, by.node), by.dag);
      case path::Support::fitting: return add_fitting(*derivations_.fitting(by.dag, by.node), by.dag);
      case path::Support::families: return add_family(*derivations_.family(by.dag, by.node), by.dag);
      case path::Support::aligned:
      case path::Support::overlapped:
        return add_aligned(derivations_.aligned(by.dag, by.node, bounds_.bounds.support[by.dag][by.node] == path::Support::overlapped),
                           by.dag);
    }
  }

  void add_sum(const path::Derivation& derivation, std::size_t k) {
    const path::System& system = bounds_.system.system;
    execution(derivation.execution);
    for (const path::Waiting& wait : derivation.waits) {
      const auto& nodes = system.dags[k].nodes;
      const auto there = std::ranges::find(nodes, wait.pool, &path::Node::pool);
      const PoolId pool = pool_of(static_cast<std::size_t>(there - nodes.begin()));
      const Wide capacity = checked_mul(Wide{system.pools[wait.pool].capacity}, system.pools[wait.pool].unit);
      for (const path::CountedJobs& jobs : wait.jobs) {
        const Wide work = jobs.work - (jobs.dag == k ? wait.last_pieces : 0);
        add_part(Cause::waiting, pool, dag_of(jobs.dag), fine_ceil(work, capacity));
      }
      if (wait.backlog) add_backlog(*wait.backlog, pool, k, fine_ceil(wait.last_pieces, capacity));
      add_part(Cause::blocking, pool, wait.blocking);
      if (wait.gaps) add_part(Cause::slices, pool, FineTime(checked_mul(wait.gaps->count, fine(wait.gaps->gap).count())));
    }
    for (auto u = derivation.path.rbegin(); u != derivation.path.rend(); ++u) path_.push_back(segment_[*u]);
  }

  /// T10c: what was left before of DAGs that are wholly on the pool counts as carry, the rest as waiting; of each an equal share has been
  /// worked off.
  void add_backlog(const path::Backlog& backlog, PoolId pool, std::size_t k, FineTime last_pieces) {
    std::vector<FineTime> lengths{backlog.carry};
    for (const path::Backlog::Part& part : backlog.parts) {
      const FineTime own = part.dag == k ? backlog.after + last_pieces : FineTime::zero();
      lengths.push_back(part.left + part.released - own);
    }
    Wide of = 0;
    for (const FineTime length : lengths) of = checked_add(of, length.count());
    Wide left = backlog.worked_off.count();
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const Wide share = of > 0 ? ceil_div(checked_mul(left, lengths[i].count()), of) : 0;
      of -= lengths[i].count();
      left -= share;
      const FineTime rest = lengths[i] - FineTime(share);
      if (i == 0) add_part(Cause::carry, pool, rest);
      if (i > 0) add_part(Cause::waiting, pool, dag_of(backlog.parts[i - 1].dag), rest);
    }
  }

  /// Counted from release patterns, on all pools of the path together.
  void add_aligned(const path::AlignedDerivation& derivation, std::size_t k) {
    const path::System& system = bounds_.system.system;
    const bool of_all = std::ranges::any_of(system.dags[k].nodes, [&](const path::Node& node) {
      const path::Order order = system.pools[node.pool].order;
      return order == path::Order::gel_by_node || by_fixed_priority(order);
    });
    execution(derivation.execution);
    add_part(Cause::waiting, std::nullopt, of_all ? std::nullopt : std::optional(dag_of(k)), derivation.own - derivation.last_pieces);
    add_part(Cause::blocking, std::nullopt, derivation.blocking);
    for (const path::AlignedJobs& jobs : derivation.others) add_part(Cause::waiting, std::nullopt, dag_of(jobs.dag), jobs.work);
    for (auto u = derivation.path.rbegin(); u != derivation.path.rend(); ++u) path_.push_back(segment_[*u]);
  }

  /// Counted by what fits beside the path.
  void add_fitting(const path::FittingDerivation& derivation, std::size_t k) {
    const auto& nodes = bounds_.system.system.dags[k].nodes;
    execution(derivation.execution);
    for (const path::FittingPool& of : derivation.pools) {
      const auto there = std::ranges::find(nodes, of.pool, &path::Node::pool);
      const PoolId pool = pool_of(static_cast<std::size_t>(there - nodes.begin()));
      for (const path::FittingPool::Jobs& jobs : of.jobs) add_part(Cause::waiting, pool, dag_of(jobs.dag), jobs.work);
      add_part(Cause::waiting, pool, dag_of(k), of.own);
    }
    for (auto u = derivation.path.rbegin(); u != derivation.path.rend(); ++u) path_.push_back(segment_[*u]);
  }

  /// Work beside the chains counts over the processors that they leave.
  void add_family(const path::FamilyDerivation& derivation, std::size_t k) {
    const PoolId pool = pool_of(derivation.path.back());
    execution(derivation.longest);
    for (const path::FittingPool::Jobs& jobs : derivation.jobs) add_part(Cause::waiting, pool, dag_of(jobs.dag), jobs.work);
    add_part(Cause::waiting, pool, dag_of(k), derivation.own);
    for (auto u = derivation.path.rbegin(); u != derivation.path.rend(); ++u) path_.push_back(segment_[*u]);
  }

  void add_late(PathSystem::Place place) {
    const auto late = derivations_.late(place.dag, place.node);
    require(late.has_value(), "what carries a bound can be told");
    const path::Dag& dag = bounds_.system.system.dags[place.dag];
    const Time e = dag.nodes[place.node].e;
    const PoolId pool = pool_of(place.node);
    execution(e);
    add_part(Cause::carry, pool, late->carry);
    add_part(Cause::slices, pool, fine(late->gap));
    add_part(Cause::waiting, pool, late->work - (fine(e) - late->own));
    path_.push_back(segment_[place.node]);
    for (const path::Precedence& edge : dag.edges) {
      if (edge.to != place.node || bounds_.bounds.F[place.dag][edge.from] != late->ready) continue;
      // A node that takes no time may lend its end to the one before it, which would go round in circles.
      if (std::ranges::find(path_, segment_[edge.from]) == path_.end() && carrier(bounds_, {place.dag, edge.from}).node != place.node) {
        return add_end({place.dag, edge.from});
      }
    }
    add_part(Cause::waiting, pool, fine(late->ready));
  }

  /// Proven on the node's pool alone: how much of it is whose is not known here.
  void add_given(PathSystem::Place place) {
    const Time e = bounds_.system.system.dags[place.dag].nodes[place.node].e;
    execution(e);
    add_part(Cause::waiting, pool_of(place.node), fine(bounds_.bounds.F[place.dag][place.node]) - fine(e));
    path_.push_back(segment_[place.node]);
  }

  /// The derivations' times are in 1/unit ns.
  void add_part(Cause cause, std::optional<PoolId> pool, std::optional<DagId> by, FineTime length) {
    parts_.add(cause, pool, by, FineTime(ceil_div(length.count(), bounds_.unit)));
  }
  void add_part(Cause cause, std::optional<PoolId> pool, FineTime length) { add_part(cause, pool, std::nullopt, length); }
  void execution(Time length) { add_part(Cause::execution, std::nullopt, fine(length)); }
  [[nodiscard]] PoolId pool_of(std::size_t u) const { return dag_.nodes()[segment_[u]].pool; }
  [[nodiscard]] DagId dag_of(std::size_t k) const {
    const DagId d = bounds_.system.dag_of[k];
    return evidence_.dags.empty() ? d : evidence_.dags[d];
  }

  const Dag& dag_;
  const PathEvidence& evidence_;
  const SegmentBounds& bounds_;
  std::size_t at_;
  Parts& parts_;
  path::Bounds R_;
  path::Derivations derivations_;
  std::vector<NodeId> segment_;  // nodes of the segment at hand
  std::vector<NodeId> path_;     // sink first
};

}  // namespace

std::vector<NodeId> add_path_parts(const Proof& proof, const PathEvidence& evidence, DagId d, Parts& parts) {
  const auto at = evidence.dags.empty() ? d : static_cast<std::size_t>(std::ranges::find(evidence.dags, d) - evidence.dags.begin());
  return PathParts(proof, evidence, d, at, parts).add();
}

}  // namespace rta::analysis
