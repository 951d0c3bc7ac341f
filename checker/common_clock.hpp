// Rates of periodic DAGs of which whole numbers of ns are no periods: all times by a clock on which they are.
#pragma once

#include <vector>

#include "task_set.hpp"
#include "yaml.hpp"

namespace checker {

/// docs/theory/periodic.md, "Rates": where a periodic DAG has such a rate, and the set has a clock that runs fast by no more than a
/// hundred-thousandth. `periods`: T of each DAG. Else nothing changes.
void keep_rates(TaskSet& set, const std::vector<Period>& periods);

}  // namespace checker
