// A task set with the schedule that a release policy gives it, and what is proven for that policy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/simulate/schedule.hpp"
#include "rta/validation/release_plan.hpp"

namespace rta::cli {

struct Proven {
  std::optional<Time> R;
  std::string theorem;
};

struct SimulatedSystem {
  std::shared_ptr<const TaskSet> task_set;
  simulate::Schedule schedule;
  std::vector<Proven> dags;                // end to end
  std::vector<std::vector<Proven>> nodes;  // counted as NodeSchedule::reference says
  std::vector<std::string> warnings;
};

/// Offsets and priority points as the analysis chooses them. Throws std::invalid_argument when some node has none.
[[nodiscard]] SimulatedSystem system_with_offsets(const analysis::Analysis& analysis, bool early);
/// Release on completion or on segments, with the priority points that the bounds were proven with. `analysis` must be of that release.
[[nodiscard]] SimulatedSystem system_on_completion(const analysis::Analysis& analysis, validation::Release release);

}  // namespace rta::cli
