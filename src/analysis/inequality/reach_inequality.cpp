#include "analysis/inequality/reach_inequality.hpp"

#include <algorithm>

namespace rta::analysis {

/// What lies between the latest ends of two nodes in a row is the later one's execution, and what it waits for.
Inequality reach_inequality(const ReachEvidence& evidence, const Bound& bound, DagId d, NodeId v) {
  const periodic::Dag& dag = evidence.system.dags[d];
  const auto& ends = evidence.reached.windows.ends[d];
  const std::size_t n = evidence.reached.windows.latest(d, v);
  Inequality result;
  result.theorem = Theorem::T36;
  const auto add = [&](Term term) {
    if (term.length != FineTime::zero()) result.terms.push_back(term);
  };
  Time left = bound.R;
  for (NodeId u = v;;) {
    result.path.push_back(u);
    const periodic::Node& node = dag.nodes[u];
    const auto last = std::ranges::max_element(node.before, {}, [&](std::size_t w) { return ends[w][n]; });
    const bool source = last == node.before.end();
    const Time ready = source ? std::min(left, dag.J) : std::min(left, ends[*last][n]);
    const Time C = std::min(left - ready, node.C);
    add({.cause = Cause::execution, .length = fine(C)});
    add({.cause = Cause::waiting, .pool = evidence.pool_of[node.pool], .length = fine(left - ready - C)});
    if (source) {
      add({.cause = Cause::release, .length = fine(ready)});
      break;
    }
    left = ready;
    u = *last;
  }
  std::ranges::reverse(result.path);
  for (const Term& term : result.terms) result.total += term.length;
  return result;
}

}  // namespace rta::analysis
