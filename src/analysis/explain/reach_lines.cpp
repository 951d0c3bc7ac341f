#include "analysis/explain/reach_lines.hpp"

#include <fmt/format.h>

namespace rta::analysis {

std::vector<std::string> reach_lines(const Proof& proof, const ReachEvidence& evidence, const Bound& bound, DagId d, NodeId v) {
  const periodic::Dag& dag = evidence.system.dags[d];
  const periodic::Reached& reached = evidence.reached;
  const std::size_t n = reached.windows.latest(d, v);
  std::vector<std::string> lines;
  lines.push_back(
      fmt::format("T36: all orders in which jobs may start, from an empty system on: {} states after up to {} starts; those after the last",
                  reached.states, reached.dispatches));
  lines.push_back(
      fmt::format("start are within those one hyperperiod (H = {} ns) before, so that no later job ends later. The node's latest job:",
                  reached.windows.hyperperiod.count()));
  lines.push_back(fmt::format("job {}, nominally released at {} + {} x {} ns{}", n, dag.phase.count(), n, dag.T.count(),
                              dag.J > Time::zero() ? fmt::format(" and up to {} ns later", dag.J.count()) : ""));
  const auto& led = reached.led[d][v];
  const Time release = dag.phase + dag.T * led.back().number;
  lines.push_back(
      "the last starts that lead to its latest end (rta simulate --witness plays all that do so for a DAG), pool by pool in this");
  lines.push_back("order; instants count from its nominal release:");
  for (const periodic::Dispatch& one : led) {
    const Dag& of = proof.task_set->dags()[one.dag];
    const std::string start = one.first == one.last
                                  ? fmt::format("at {}", (one.first - release).count())
                                  : fmt::format("from {} to {}", (one.first - release).count(), (one.last - release).count());
    const std::size_t on = evidence.system.dags[one.dag].nodes[one.node].pool;
    const char* const begins = evidence.system.pools[on].in_turn ? "is queued" : "starts";
    lines.push_back(fmt::format("  {}/{}, job {}, on '{}': {} {} ns, has ended by {} ns", of.name(), of.nodes()[one.node].name, one.number,
                                proof.task_set->pools()[evidence.pool_of[on]].name, begins, start, (one.end - release).count()));
  }
  lines.push_back(fmt::format("R = {} ns", bound.R.count()));
  return lines;
}

}  // namespace rta::analysis
