#include "rta/analysis/job_bounds.hpp"

#include <algorithm>
#include <variant>

namespace rta::analysis {

std::optional<JobBounds> job_bounds(const Proof& proof) {
  const auto at =
      std::ranges::find_if(proof.evidence, [](const Evidence& evidence) { return std::holds_alternative<WindowEvidence>(evidence); });
  if (at == proof.evidence.end()) return std::nullopt;
  const auto& e = std::get<WindowEvidence>(*at);
  JobBounds bounds{e.windows.hyperperiod, {}};
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    auto& jobs = bounds.dags.emplace_back();
    const periodic::Dag& dag = e.system.dags[d];
    const auto& ends = e.windows.ends[d];
    jobs.reserve(ends.front().size());
    for (std::size_t n = 0; n < ends.front().size(); ++n) {
      Time R = Time::zero();
      for (const auto& of_node : ends) R = std::max(R, of_node[n]);
      jobs.push_back({dag.phase + dag.T * static_cast<std::int64_t>(n), std::min(R, proof.dags[d].bound->R)});
    }
  }
  return bounds;
}

}  // namespace rta::analysis
