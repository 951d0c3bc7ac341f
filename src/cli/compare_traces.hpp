// Traces against a task set: what `rta compare` and `rta run` share.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "command.hpp"
#include "output.hpp"
#include "rta/analysis/option_table.hpp"
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

struct ComparisonOptions {
  analysis::GivenOptions analysis;
  std::optional<convert::Options> recording;
  compare::Shown shown;
  bool verbose = false;
  bool quiet = false;
};

/// Bounds are those for the release and the options of the analysis that each trace names; those of `options` override the latter.
/// Recordings are cut into jobs as they say, released on completion.
/// Each trace is compared with the one of `inputs` that it is of, the first where it does not say. Writes the report to all targets and
/// warnings to standard error; the result is the command's exit status. Throws `io::InputError`.
[[nodiscard]] ExitStatus report_comparison(std::span<const TaskSetInput> inputs, const std::vector<std::string>& traces,
                                           const ComparisonOptions& options, const std::vector<Target>& all_targets);

}  // namespace rta::cli
