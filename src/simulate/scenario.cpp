#include "rta/simulate/scenario.hpp"

#include <algorithm>

namespace rta::simulate {

std::optional<std::size_t> first_impossible_release(const Dag& dag, std::span<const ScenarioJob> jobs) {
  const auto T = static_cast<Wide>(dag.nominal_period().count());
  const auto J = static_cast<Wide>(dag.attributes().jitter.count());
  const auto& T_max = dag.attributes().T_max;
  Wide earliest = 0, latest = 0;  // nominal release of the job before
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const auto release = static_cast<Wide>(jobs[j].release.count());
    const Wide from = j == 0 ? release - J : std::max(release - J, earliest + T);
    const Wide to = j == 0 || !T_max ? release : std::min(release, latest + static_cast<Wide>(T_max->count()));
    if (from > to) return j;
    earliest = from;
    latest = to;
  }
  return std::nullopt;
}

}  // namespace rta::simulate
