#include "rta/analysis/deadlines.hpp"

namespace rta::analysis {

bool meets_own_deadline(const Proof& proof, DagId d, NodeId v) {
  const auto& bound = proof.dags[d].nodes[v].bound;
  const std::optional<Time> D = own_deadline(proof.task_set->dags()[d], v);
  return bound && (!D || bound->R <= *D);
}

bool meets_deadlines(const Proof& proof, DagId d) {
  const Dag& dag = proof.task_set->dags()[d];
  if (!proof.dags[d].meets(dag.deadline())) return false;
  for (NodeId v = 0; v < dag.nodes().size(); ++v) {
    if (own_deadline(dag, v) && !meets_own_deadline(proof, d, v)) return false;
  }
  return true;
}

DeadlineCount end_to_end_deadlines(const Proof& proof) {
  DeadlineCount count;
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const auto deadline = proof.task_set->dags()[d].deadline();
    if (!deadline) continue;
    ++count.given;
    if (proof.dags[d].meets(deadline)) ++count.met;
  }
  return count;
}

DeadlineCount own_deadlines(const Proof& proof) {
  DeadlineCount count;
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const Dag& dag = proof.task_set->dags()[d];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      if (!own_deadline(dag, v)) continue;
      ++count.given;
      if (meets_own_deadline(proof, d, v)) ++count.met;
    }
  }
  return count;
}

}  // namespace rta::analysis
