#include "response_rows.hpp"

#include "rta/model/deadline.hpp"

namespace rta::cli {

report::ResponseRow response_row(const Played& system, DagId d, std::optional<NodeId> v) {
  const TaskSet& set = *system.proof.task_set;
  const Dag& dag = set.dags()[d];
  const auto& bound = v ? system.proof.dags[d].nodes[*v].bound : system.proof.dags[d].bound;
  report::ResponseRow r;
  r.deadline = v ? own_deadline(dag, *v) : dag.deadline();
  r.dag = dag.name();
  if (v) {
    r.node = dag.nodes()[*v].name;
    r.pool = set.pools()[dag.nodes()[*v].pool].name;
  }
  if (!bound) return r;
  r.theorem = to_string(bound->basis.theorem);
  r.bound = bound->R;
  return r;
}

void add_rows(const Played& system, report::SimulationReport& report, const simulate::Observation& seen) {
  add_rows(system, report, [&](report::ResponseRow& r, DagId d, std::optional<NodeId> v) {
    const simulate::Statistics& s = v ? seen.dags[d].nodes[*v] : seen.dags[d].response;
    r.count = s.count();
    if (r.count == 0) return;
    r.max = s.max();
    if (r.deadline) r.misses = v ? seen.dags[d].node_misses[*v] : seen.dags[d].misses;
    r.worst_job = s.worst_job();
    r.mean_ns = s.mean();
    r.p99 = s.p99();
  });
}

std::string ending_text(simulate::Ending ending) {
  switch (ending) {
    case simulate::Ending::complete: return "all jobs ended";
    case simulate::Ending::stopped: return "interrupted: statistics so far";
    case simulate::Ending::timed_out: return "time limit: statistics so far";
    case simulate::Ending::backlog: return "overload: jobs pile up without end; statistics so far";
  }
  return {};
}

}  // namespace rta::cli
