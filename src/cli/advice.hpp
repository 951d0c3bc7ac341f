// `rta analyze`: why bounds are as they are, what helps, and slack.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "command.hpp"
#include "rta/analysis/analyze.hpp"

namespace rta::cli {

void add_advice_options(boost::program_options::options_description& all);

/// True once so many seconds have passed since now.
[[nodiscard]] std::function<bool()> stop_after(double seconds);

/// Adds what was asked for and, where something is not met, why and what helps. `task_set`: as given; `took`: how long its analysis did;
/// `kernel_switches`: as its options.
/// Throws `UsageError`.
void add_advice(const boost::program_options::variables_map& given, const std::shared_ptr<const TaskSet>& task_set,
                std::chrono::nanoseconds took, bool kernel_switches, analysis::Analysis& analysis);

}  // namespace rta::cli
