// Ends and ready times since nominal releases, for T12j.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// Of a DAG's jitter: later releases are more jobs than T12j's sums have room for.
inline constexpr std::int64_t most_periods_of_jitter = 1'000;

using EndsOfClasses = std::vector<std::vector<std::int64_t>>;  // class -> one value per node, ns

/// Every value and its DAG's release jitter: so long after the nominal release.
[[nodiscard]] EndsOfClasses since_nominal(const Ticks& ticks, EndsOfClasses all);

}  // namespace rta::analysis::path
