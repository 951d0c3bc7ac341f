// `rta analyze`: why bounds are as they are, what helps, and slack.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "command.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/model/limit.hpp"

namespace rta::cli {

void add_advice_options(boost::program_options::options_description& all);

/// True once the limit is reached; empty where there is none.
[[nodiscard]] std::function<bool()> stop_at(const std::optional<Limit>& limit);

/// Adds the largest rates that were asked for, each T analysed with `options`. Throws `UsageError`.
void add_rates(const boost::program_options::variables_map& given, const std::shared_ptr<const TaskSet>& task_set,
               const analysis::Options& options, analysis::Analysis& analysis);

/// Adds what was asked for and, where something is not met, why and what helps. `task_set`: as given; `kernel_switches`: as its options;
/// `limit`: of `--time-limit`, which ends all searches. Throws `UsageError`.
void add_advice(const boost::program_options::variables_map& given, const std::shared_ptr<const TaskSet>& task_set, bool kernel_switches,
                const std::optional<Limit>& limit, analysis::Analysis& analysis);

}  // namespace rta::cli
