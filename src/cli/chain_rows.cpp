#include "chain_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rta/analysis/chains.hpp"
#include "rta/analysis/schedule_of.hpp"

namespace rta::cli {
namespace {

/// A stage's DAG whose releases may come further apart in this run than T13 takes for granted.
const Dag* late_dag(const TaskSet& set, const Chain& chain, const simulate::Options& run) {
  if (run.releases.jitter == 0) return nullptr;
  const auto late = std::ranges::find_if(chain.stages, [&](const ChainStage& stage) { return !set.dags()[stage.dag].attributes().T_max; });
  return late == chain.stages.end() ? nullptr : &set.dags()[late->dag];
}

/// Whether every DAG with a phase is released by it.
bool keeps_phases(const TaskSet& set, const simulate::Releases& releases) {
  if (releases.random_phases || releases.jitter > 0) return false;
  for (DagId d = 0; d < releases.phases.size(); ++d) {
    if (releases.phases[d] != set.dags()[d].attributes().phase.value_or(releases.phases[d])) return false;
  }
  return true;
}

}  // namespace

std::vector<compare::ComparedChain> chain_rows(const Played& system, const simulate::Options& run,
                                               std::span<const simulate::SeenLatencies> seen, std::vector<std::string>& warnings) {
  const TaskSet& set = nodes_played(system.proof);
  std::vector<compare::ComparedChain> rows;
  // A scenario has a few jobs, as far apart as it likes: chains are about all of them.
  if (set.chains().empty() || !run.jobs.empty()) return rows;
  rows.reserve(seen.size());
  const auto proven = analysis::prove_chains(system.proof, keeps_phases(set, run.releases));
  for (std::size_t c = 0; c < seen.size(); ++c) {
    const Chain& chain = set.chains()[c];
    std::optional<analysis::ChainLatencies> bound = proven[c].bound;
    const Dag* late = late_dag(set, chain, run);
    if (bound && late != nullptr) {
      warnings.push_back(
          fmt::format("chain '{}': releases of '{}' are late and it has no T_max: no bound holds", chain.name, late->name()));
      bound.reset();
    }
    rows.push_back(compare::compared(chain, seen[c], bound));
  }
  return rows;
}

}  // namespace rta::cli
