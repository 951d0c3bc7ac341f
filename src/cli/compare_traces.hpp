// Traces against a task set: what `rta compare` and `rta run` share.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "command.hpp"
#include "compared_traces.hpp"
#include "output.hpp"
#include "rta/compare/comparison.hpp"
#include "rta/convert/convert.hpp"
#include "task_set_input.hpp"

namespace rta::cli {

/// How jobs are found in recordings, as `rta convert` does: options that shape DAGs and nodes.
void add_recording_options(boost::program_options::options_description& all);
/// Those that are given; nothing when none is.
[[nodiscard]] std::optional<convert::Options> recording_options(const boost::program_options::variables_map& given);

/// --window, for the timelines of pages and figures.
void add_window_option(boost::program_options::options_description& all);
/// That window, if given, and the share of a page that each of so many traces has. Throws `UsageError` for a window that no target shows,
/// and for a figure of several traces.
[[nodiscard]] compare::Shown shown_of_each(const boost::program_options::variables_map& given, const std::vector<Target>& all_targets,
                                           std::size_t traces);

/// Writes what `compared_traces` says to all targets and warnings to standard error; the result is the command's exit status.
[[nodiscard]] ExitStatus report_comparison(std::span<const TaskSetInput> inputs, const std::vector<std::string>& traces,
                                           const ComparisonOptions& options, const std::vector<Target>& all_targets);

}  // namespace rta::cli
