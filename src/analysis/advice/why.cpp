#include "rta/analysis/why.hpp"

#include <algorithm>
#include <tuple>

#include "analysis/advice/parts.hpp"
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

}  // namespace

std::string_view to_string(Cause cause) {
  switch (cause) {
    case Cause::execution: return "execution";
    case Cause::waiting: return "waiting";
    case Cause::blocking: return "blocking";
    case Cause::carry: return "carry";
    case Cause::slices: return "slices";
    case Cause::priority: return "priority";
    case Cause::rounding: return "rounding";
  }
  return "";
}

std::vector<BoundPart> Parts::rounded_to(Time bound) const {
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

Why why(const Proof& proof, DagId d) {
  const auto& bound = proof.dags[d].bound;
  require(bound.has_value(), "a bound that is taken apart exists");
  Why result;
  result.dag = d;
  Parts parts;
  if (bound->basis.theorem == Theorem::sum) {
    result.path = proof.dags[d].critical_path;
    for (const NodeId v : result.path) add_pool_parts(proof, d, v, parts);
  } else if (const auto* evidence = std::get_if<PathEvidence>(&proof.evidence[bound->basis.evidence])) {
    result.path = add_path_parts(proof, *evidence, d, parts);
  } else {
    result.path = proof.dags[d].critical_path;
    add_pool_parts(proof, d, result.path.back(), parts);
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
