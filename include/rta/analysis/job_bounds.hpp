// Bounds of single jobs, where T35 or T36 has looked at each of a hyperperiod.
#pragma once

#include <optional>
#include <vector>

#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// The n-th job of a DAG, and those whole hyperperiods later.
struct JobBound {
  Time release;  // nominal
  Time R;        // end to end, from there
  bool operator==(const JobBound&) const = default;
};

struct JobBounds {
  Time hyperperiod;
  std::vector<std::vector<JobBound>> dags;  // DAG, n; of those that come in a hyperperiod from the DAG's phase on
};

/// None: they have nothing of this proof.
[[nodiscard]] std::optional<JobBounds> job_bounds(const Proof& proof);

}  // namespace rta::analysis
