#include "analysis/policies/end_to_end.hpp"

#include <algorithm>
#include <limits>

#include "rta/model/error.hpp"

namespace rta::analysis {

EndToEnd end_to_end(const Dag& dag, std::span<const Time> R) {
  const std::size_t n = dag.nodes().size();
  require(R.size() == n, "every node has a response-time bound");
  constexpr NodeId none = std::numeric_limits<NodeId>::max();

  EndToEnd result;
  result.offset.assign(n, Time::zero());
  std::vector<NodeId> latest(n, none);  // the predecessor that sets the offset
  NodeId last = dag.topological_order().front();
  for (NodeId v : dag.topological_order()) {
    for (NodeId u : dag.predecessors(v)) {
      const Time end = result.offset[u] + R[u];
      if (latest[v] == none || end > result.offset[v]) {
        result.offset[v] = std::max(result.offset[v], end);
        latest[v] = u;
      }
    }
    if (result.offset[v] + R[v] > result.offset[last] + R[last]) last = v;
  }
  result.R = result.offset[last] + R[last];
  for (NodeId v = last; v != none; v = latest[v]) result.critical_path.push_back(v);
  std::reverse(result.critical_path.begin(), result.critical_path.end());
  return result;
}

}  // namespace rta::analysis
