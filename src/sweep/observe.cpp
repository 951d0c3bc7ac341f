#include "observe.hpp"

#include <fmt/format.h>

#include "rta/analysis/schedule_of.hpp"
#include "rta/model/error.hpp"
#include "rta/simulate/simulate.hpp"

namespace rta::sweep {
std::vector<Time> observe(const analysis::Proof& proof, Time duration) {
  simulate::Options options;
  options.duration = duration;
  const auto observation = simulate::simulate(*proof.task_set, schedule_of(proof), options);
  std::vector<Time> largest;
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const simulate::Statistics& response = observation.dags[d].response;
    largest.push_back(response.count() > 0 ? response.max() : Time::zero());
    if (largest.back() > proof.dags[d].bound->R) {
      throw_defect(fmt::format("a simulated response of DAG '{}' is {} ns, above its bound of {} ns", proof.task_set->dags()[d].name(),
                               largest.back().count(), proof.dags[d].bound->R.count())
                       .c_str());
    }
  }
  return largest;
}

}  // namespace rta::sweep
