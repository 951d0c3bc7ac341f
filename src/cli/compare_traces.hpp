// Traces against a task set: what `rta compare` and `rta run` share.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "command.hpp"
#include "output.hpp"
#include "rta/analysis/option_table.hpp"
#include "task_set_input.hpp"

namespace rta::cli {

/// Bounds are those for the release and the options of the analysis that each trace names; those that are `given` override the latter.
/// Compares, writes the report to all targets and warnings to standard error; the result is the command's exit status. Throws
/// `io::InputError`.
[[nodiscard]] ExitStatus report_comparison(const TaskSetInput& input, const std::vector<std::string>& traces,
                                           const analysis::GivenOptions& given, const std::vector<Target>& all_targets, bool verbose,
                                           bool quiet);

/// Throws `InputError` where there is no file to read.
[[nodiscard]] std::ifstream open_trace(const std::string& path);

}  // namespace rta::cli
