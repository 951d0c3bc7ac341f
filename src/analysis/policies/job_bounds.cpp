#include "rta/analysis/job_bounds.hpp"

#include <algorithm>
#include <variant>

namespace rta::analysis {

std::optional<JobBounds> job_bounds(const Proof& proof) {
  const periodic::System* system = nullptr;
  const periodic::Windows* windows = nullptr;
  for (const Evidence& evidence : proof.evidence) {  // T36, which comes last, has no later ends
    if (const auto* by_windows = std::get_if<WindowEvidence>(&evidence)) {
      system = &by_windows->system;
      windows = &by_windows->windows;
    } else if (const auto* by_orders = std::get_if<ReachEvidence>(&evidence)) {
      system = &by_orders->system;
      windows = &by_orders->reached.windows;
    }
  }
  if (windows == nullptr) return std::nullopt;
  JobBounds bounds{windows->hyperperiod, {}};
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    auto& jobs = bounds.dags.emplace_back();
    const periodic::Dag& dag = system->dags[d];
    const auto& ends = windows->ends[d];
    // Ends count from the nominal release, the DAG's bound from the release itself.
    const Time by_dag = proof.dags[d].bound->R + proof.task_set->dags()[d].attributes().jitter;
    jobs.reserve(ends.front().size());
    for (std::size_t n = 0; n < ends.front().size(); ++n) {
      Time R = Time::zero();
      for (const auto& of_node : ends) R = std::max(R, of_node[n]);
      jobs.push_back({dag.phase + dag.T * static_cast<std::int64_t>(n), std::min(R, by_dag)});
    }
  }
  return bounds;
}

}  // namespace rta::analysis
