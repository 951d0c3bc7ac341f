#include "run_node.hpp"

namespace rta::simulate {

RunGraph::RunGraph(const Plan& plan) {
  nodes.reserve(plan.nodes.size());
  for (const PlanNode& n : plan.nodes) {
    nodes.push_back({.most = n.most,
                     .priority_point = n.priority_point,
                     .reference = n.reference,
                     .deadline = n.deadline,
                     .dag = n.dag,
                     .server = n.server,
                     .pieces = n.pieces,
                     .stream = n.stream,
                     .order = n.order,
                     .first_edge = n.first_edge,
                     .end_edge = n.end_edge,
                     .kind = n.kind,
                     .position = n.position,
                     .drawn = n.least < n.most || n.overhead != 0,
                     .whole = n.wave > 0,
                     .in_body = n.body != none,
                     .spins = n.spinning != Spinning::no,
                     .call = n.call != none});
  }
  successors.reserve(plan.edges.size());
  for (const PlanEdge& edge : plan.edges) {
    successors.push_back(edge.to);
    delays = delays || edge.delay != 0;
  }
}

}  // namespace rta::simulate
