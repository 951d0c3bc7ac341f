#include "observe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rta/analysis/schedule_of.hpp"
#include "rta/model/error.hpp"
#include "rta/simulate/search.hpp"
#include "rta/simulate/simulate.hpp"

namespace rta::sweep {

std::vector<Time> observe(const analysis::Proof& proof, Time duration, std::uint64_t search_runs) {
  simulate::SearchOptions options;
  options.base.duration = duration;
  options.base.bodies = bodies_of_groups(proof);
  options.max_runs = search_runs;
  const auto schedule = schedule_of(proof);
  const TaskSet& set = nodes_simulated(proof);
  const auto observation = simulate::simulate(set, schedule, options.base);
  std::optional<simulate::SearchResult> found;
  if (search_runs > 0) found = simulate::search(set, schedule, options);
  std::vector<Time> largest;
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const simulate::Statistics& response = observation.dags[d].response;
    largest.push_back(response.count() > 0 ? response.max() : Time::zero());
    if (found && found->dags[d]) largest.back() = std::max(largest.back(), found->dags[d]->response);
    if (largest.back() > proof.dags[d].bound->R) {
      throw_defect(fmt::format("a simulated response of DAG '{}' is {} ns, above its bound of {} ns", proof.task_set->dags()[d].name(),
                               largest.back().count(), proof.dags[d].bound->R.count()));
    }
  }
  return largest;
}

}  // namespace rta::sweep
