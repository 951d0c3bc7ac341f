// Why bounds are as they are, what helps, and slack, in JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "rta/analysis/analyze.hpp"

namespace rta::report {

/// Adds `why`, `remedies` and `slack`, each where there is one.
void add_advice(const analysis::Analysis& analysis, nlohmann::ordered_json& json);

}  // namespace rta::report
