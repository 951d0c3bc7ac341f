// Why bounds are as they are, what helps, slack and largest rates, in JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "rta/analysis/analyze.hpp"

namespace rta::report {

/// Adds `why`, `remedies`, `slack` and `largest_rates`, each where there is one.
void add_advice(const analysis::Analysis& analysis, nlohmann::ordered_json& json);

}  // namespace rta::report
