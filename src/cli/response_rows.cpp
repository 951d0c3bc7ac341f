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

}  // namespace rta::cli
