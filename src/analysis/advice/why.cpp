#include "rta/analysis/why.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/path/critical_path.hpp"
#include "analysis/path/derivation/carrier.hpp"
#include "rta/analysis/inequality.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

Time execution_of(const TaskSet& task_set, const Node& node) {
  const auto* workers = std::get_if<WorkerPool>(&task_set.pools()[node.pool].resource);
  return longest_piece(node) + (workers != nullptr ? workers->dispatch_overhead : Time::zero());
}

void add_longest_path(const TaskSet& task_set, Why& why) {
  const Dag& dag = task_set.dags()[why.dag];
  std::vector<Time> length(dag.nodes().size());
  std::vector<std::optional<NodeId>> before(dag.nodes().size());
  NodeId last = dag.topological_order().front();
  for (const NodeId v : dag.topological_order()) {
    for (const NodeId u : dag.predecessors(v)) {
      if (before[v] && length[u] <= length[*before[v]]) continue;
      before[v] = u;
    }
    length[v] = (before[v] ? length[*before[v]] : Time::zero()) + execution_of(task_set, dag.nodes()[v]);
    if (length[v] > length[last]) last = v;
  }
  why.alone = length[last];
  for (std::optional<NodeId> v = last; v; v = before[*v]) why.longest_path.push_back(*v);
  std::ranges::reverse(why.longest_path);
}

/// Parts of a bound as they are added up, below one nanosecond.
class Parts {
 public:
  void add(const Term& term) { sums_[{term.cause, term.pool, term.by}] += term.length; }

  /// In whole ns, by cause and pool, the largest first; with the rounding they sum to `bound`.
  [[nodiscard]] std::vector<BoundPart> rounded_to(Time bound) const {
    std::vector<BoundPart> parts;
    Wide rest = bound.count();
    for (const auto& [what, length] : sums_) {
      const auto& [cause, pool, by] = what;
      const Wide whole = floor_div(length.count(), Wide{1} << fine_bits);
      rest -= whole;
      if (whole != 0) parts.push_back({cause, pool, by, to_time(whole)});
    }
    require(rest >= 0, "the parts of a bound are not more than it");
    if (rest > 0) parts.push_back({Cause::rounding, std::nullopt, std::nullopt, to_time(rest)});
    std::ranges::stable_sort(parts, [](const BoundPart& a, const BoundPart& b) {
      const auto rank = [](const BoundPart& part) { return std::tuple(part.cause, part.pool); };
      return std::tuple(rank(a), b.length) < std::tuple(rank(b), a.length);
    });
    return parts;
  }

 private:
  std::map<std::tuple<Cause, std::optional<PoolId>, std::optional<DagId>>, FineTime> sums_;
};

/// The inequalities that a path bound of DAG d follows, from its last node on, segment by segment.
class FollowedPath {
 public:
  FollowedPath(const Proof& proof, const PathEvidence& evidence, DagId d, Parts& parts)
      : dag_(proof.task_set->dags()[d]),
        evidence_(evidence),
        bounds_(evidence.bounds),
        at_(evidence.place_of(d)),
        parts_(parts),
        derivations_(derivations_of(bounds_)) {}

  /// Source first.
  std::vector<NodeId> follow() {
    const auto& F = bounds_.F[at_];
    std::optional<NodeId> last = static_cast<NodeId>(std::ranges::max_element(F) - F.begin());
    while (last) {
      const std::size_t segment = bounds_.segments[at_][*last];
      segment_ = nodes_of_segment(bounds_, at_, segment);
      add_end(bounds_.system.place[at_][*last]);
      last = last_before(bounds_, dag_, at_, segment);
    }
    std::ranges::reverse(path_);
    return path_;
  }

 private:
  /// The end of a node after the release of its segment.
  void add_end(const PathSystem::Place& place) {
    const Inequality inequality = bounds_.bounds.support.empty() ? derivations_.of(place.dag) : derivations_.of(place.dag, place.node);
    for (auto u = inequality.path.rbegin(); u != inequality.path.rend(); ++u) path_.push_back(segment_[*u]);
    for (const Term& term : inequality.terms) {
      const auto before = term.ready ? node_before({place.dag, inequality.path.front()}, term.length) : std::nullopt;
      if (before) {
        add_end(*before);
      } else {
        add(term);
      }
    }
  }

  /// A node before this one that ends when it is ready. One that takes no time may lend its end to the one before it, which would go round
  /// in circles.
  [[nodiscard]] std::optional<PathSystem::Place> node_before(const PathSystem::Place& place, FineTime ready) const {
    for (const path::Precedence& edge : bounds_.system.system.dags[place.dag].edges) {
      if (edge.to != place.node || fine(bounds_.bounds.F[place.dag][edge.from]) != ready) continue;
      const PathSystem::Place before{place.dag, edge.from};
      if (std::ranges::find(path_, segment_[edge.from]) == path_.end() && carrier(bounds_, before).node != place.node) return before;
    }
    return std::nullopt;
  }

  /// From pools, DAGs and units of the system to those of the proof.
  void add(Term term) {
    if (term.pool) term.pool = bounds_.system.pool_of[*term.pool];
    if (term.by) term.by = evidence_.dag_at(bounds_.system.dag_of[*term.by]);
    term.length = FineTime(ceil_div(term.length.count(), bounds_.unit));
    parts_.add(term);
  }

  const Dag& dag_;
  const PathEvidence& evidence_;
  const SegmentBounds& bounds_;
  std::size_t at_;
  Parts& parts_;
  path::Derivations derivations_;
  std::vector<NodeId> segment_;  // nodes of the segment at hand
  std::vector<NodeId> path_;     // sink first
};

}  // namespace

std::string_view to_string(Cause cause) {
  switch (cause) {
    case Cause::execution: return "execution";
    case Cause::waiting: return "waiting";
    case Cause::blocking: return "blocking";
    case Cause::carry: return "carry";
    case Cause::slices: return "slices";
    case Cause::priority: return "priority";
    case Cause::release: return "release";
    case Cause::rounding: return "rounding";
  }
  return "";
}

Why why(const Proof& proof, DagId d) {
  const auto& bound = proof.dags[d].bound;
  require(bound.has_value(), "a bound that is taken apart exists");
  Why result;
  result.dag = d;
  Parts parts;
  const auto add = [&](const Bound& of, NodeId v) {
    for (const Term& term : inequality_of(proof, of, d, v).terms) parts.add(term);
  };
  if (bound->basis.theorem == Theorem::sum) {
    result.path = proof.dags[d].critical_path;
    for (const NodeId v : result.path) add(*proof.dags[d].nodes[v].bound, v);
  } else if (const auto* evidence = std::get_if<PathEvidence>(&proof.evidence[bound->basis.evidence])) {
    result.path = FollowedPath(proof, *evidence, d, parts).follow();
  } else {
    result.path = proof.dags[d].critical_path;
    add(*bound, result.path.back());
  }
  result.parts = parts.rounded_to(bound->R);
  add_longest_path(*proof.task_set, result);
  return result;
}

std::vector<DagId> late_dags(const Proof& proof) {
  const auto dags = proof.task_set->dags();
  std::vector<DagId> late;
  for (DagId d = 0; d < dags.size(); ++d) {
    const auto& bound = proof.dags[d].bound;
    if (!bound || proof.dags[d].meets(dags[d].deadline())) continue;
    const bool copy = !late.empty() && dags[late.back()].same_shape(dags[d]) && proof.dags[late.back()].bound->R == bound->R;
    if (!copy) late.push_back(d);
  }
  const auto lateness = [&](DagId d) { return proof.dags[d].bound->R - *dags[d].deadline(); };
  std::ranges::stable_sort(late, [&](DagId a, DagId b) { return lateness(a) > lateness(b); });
  return late;
}

}  // namespace rta::analysis
