#include "releases.hpp"

#include <algorithm>

#include "rta/simulate/chains.hpp"

namespace rta::compare {

Releases::Releases(const TaskSet& task_set) : task_set_(task_set), in_chain_(task_set.dags().size()), releases_(task_set.dags().size()) {
  for (const Chain& chain : task_set.chains()) {
    for (const ChainStage& stage : chain.stages) in_chain_[stage.dag] = true;
  }
}

void Releases::add(DagId dag, std::uint64_t job, Time release) {
  if (!in_chain_[dag] || job >= simulate::ChainObserver::most_jobs) return;
  auto& releases = releases_[dag];
  if (releases.size() <= job) releases.resize(static_cast<std::size_t>(job) + 1);
  releases[static_cast<std::size_t>(job)] = release;
}

bool Releases::too_far(DagId dag) const {
  const Time longest = task_set_.dags()[dag].longest_period();
  const auto apart = [&](const std::optional<Time>& a, const std::optional<Time>& b) { return a && b && *b - *a > longest; };
  return std::ranges::adjacent_find(releases_[dag], apart) != releases_[dag].end();
}

bool Releases::by_phases() const {
  std::optional<Time> start;
  for (DagId d = 0; d < releases_.size(); ++d) {
    const Dag& dag = task_set_.dags()[d];
    if (!dag.attributes().phase) continue;
    for (std::size_t job = 0; job < releases_[d].size(); ++job) {
      if (!releases_[d][job]) continue;
      const Time from = *releases_[d][job] - *dag.attributes().phase - dag.nominal_period() * static_cast<std::int64_t>(job);
      if (start.value_or(from) != from) return false;
      start = from;
    }
  }
  return true;
}

}  // namespace rta::compare
