// Traces against a task set: what `rta compare` and `rta run` share.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "command.hpp"
#include "output.hpp"
#include "task_set_input.hpp"

namespace rta::cli {

/// Bounds are those for the release and the choices that each trace names; `choices` override the latter. Compares, writes the report
/// to all targets and warnings to standard error; the result is the command's exit status. Throws `io::InputError`.
[[nodiscard]] ExitStatus report_comparison(const TaskSetInput& input, const std::vector<std::string>& traces, const Choices& choices,
                                           const std::vector<Target>& all_targets, bool verbose, bool quiet);

/// Throws `InputError` where there is no file to read.
[[nodiscard]] std::ifstream open_trace(const std::string& path);

}  // namespace rta::cli
