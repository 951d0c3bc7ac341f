// Slack in tables.
#pragma once

#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"

namespace rta::report {

/// What holds at these values and what may not, in one sentence.
[[nodiscard]] std::string slack_in_words(const analysis::Slack& slack);
/// Header and a row per node: name, what changes, the value now, the largest one, their ratio, and whether smaller ones hold, too.
[[nodiscard]] std::vector<std::vector<std::string>> node_slack_rows(const analysis::Analysis& analysis);
/// The same for T and D of DAGs, and the sizes of pools.
[[nodiscard]] std::vector<std::vector<std::string>> dag_slack_rows(const analysis::Analysis& analysis);
[[nodiscard]] std::vector<std::vector<std::string>> pool_slack_rows(const analysis::Analysis& analysis);

}  // namespace rta::report
