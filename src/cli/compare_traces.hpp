// Traces against a task set: what `rta compare` and `rta run` share.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "output.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/convert/convert.hpp"
#include "task_set_input.hpp"

namespace rta::cli {

/// How jobs are found in recordings, as `rta convert` does: options that shape DAGs and nodes.
void add_recording_options(boost::program_options::options_description& all);
/// Those that are given; nothing when none is.
[[nodiscard]] std::optional<convert::Options> recording_options(const boost::program_options::variables_map& given);

/// Bounds are those for the release and the options of the analysis that each trace names; those that are `given` override the latter.
/// Recordings are cut into jobs by `recording`, released on completion.
/// Compares, writes the report to all targets and warnings to standard error; the result is the command's exit status. Throws
/// `io::InputError`.
[[nodiscard]] ExitStatus report_comparison(const TaskSetInput& input, const std::vector<std::string>& traces,
                                           const analysis::GivenOptions& given, const std::optional<convert::Options>& recording,
                                           const std::vector<Target>& all_targets, bool verbose, bool quiet);

}  // namespace rta::cli
