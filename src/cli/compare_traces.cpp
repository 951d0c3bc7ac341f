#include "compare_traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>

#include "convert_options.hpp"
#include "evidence.hpp"
#include "rta/compare/comparison.hpp"
#include "rta/model/error.hpp"
#include "rta/report/comparison_report.hpp"
#include "simulate_options.hpp"
#include "write_report.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

/// Of `rta convert`, those that shape DAGs and nodes.
constexpr std::array in_recordings{"job-marker", "gpu", "waits", "fuse", "blocking-streams"};

bool is_figure(const Target& target) { return target.format->charts && target.format->name != "html"; }

}  // namespace

void add_recording_options(po::options_description& all) { add_convert_options(all, in_recordings); }

std::optional<convert::Options> recording_options(const po::variables_map& given) {
  const bool any = std::ranges::any_of(in_recordings, [&](const char* name) { return given.count(name) != 0 && !given[name].defaulted(); });
  return any ? std::optional(chosen_convert_options(given)) : std::nullopt;
}

void add_window_option(po::options_description& all) {
  all.add_options()("window", po::value<std::string>()->value_name("FROM-TO"),
                    "part of a trace that the timeline of a page or figure draws, e.g. 1s-1.1s (default: the first three periods)");
}

compare::Shown shown_of_each(const po::variables_map& given, const std::vector<Target>& all_targets, std::size_t traces) {
  if (traces != 1 && std::ranges::any_of(all_targets, is_figure)) {
    throw UsageError("a figure draws the timeline of one trace; a page (.html) draws those of several");
  }
  require_converters(all_targets, drawn_as<report::ComparisonReport>());
  compare::Shown shown;
  shown.most_bars = std::max<std::size_t>(shown.most_bars / traces, 100);
  if (given.count("window") == 0) return shown;
  if (std::ranges::none_of(all_targets, [](const Target& target) { return target.format->charts; })) {
    throw UsageError("--window needs a page or figure that draws it: -o FILE.html, .svg, .pdf or .png");
  }
  const Window window = window_option(given, {});
  shown.window = compare::Window{window.from, window.to};
  return shown;
}

ExitStatus report_comparison(std::span<const TaskSetInput> inputs, const std::vector<std::string>& traces, const ComparisonOptions& options,
                             const std::vector<Target>& all_targets) {
  const ComparedTraces compared = compared_traces(inputs, traces, options);
  const std::vector<compare::Comparison>& comparisons = compared.comparisons;
  for (std::size_t t = 0; t < traces.size(); ++t) note_input(comparisons[t].trace, compared.digests[t]);
  if (!options.quiet) {
    for (const TaskSetInput& input : inputs) {
      for (const std::string& warning : input.warnings) std::cerr << "warning: " << warning << '\n';
    }
    for (const auto& comparison : comparisons) {
      for (const std::string& warning : comparison.warnings) std::cerr << "warning: " << warning << '\n';
    }
  }
  for (const Target& target : all_targets) {
    if (is_figure(target) && !comparisons.front().timeline) {
      throw UserError(comparisons.front().trace + ": no job of a node was released there: a figure would be empty");
    }
  }
  const auto of_each = inputs.size() == 1 ? std::span<const TaskSet* const>() : std::span<const TaskSet* const>(compared.variants);
  for (const Target& target : all_targets) {
    const report::ComparisonReport report{*inputs.front().task_set,
                                          comparisons,
                                          options.verbose,
                                          !target.path && colour_on_standard_output(),
                                          of_each,
                                          options.file,
                                          options.kept};
    write_report<report::ComparisonReport>(target, report);
  }
  const bool good =
      std::ranges::all_of(comparisons, [](const auto& c) { return c.within_bounds() && c.met_deadlines() && c.valid() && c.conclusive(); });
  return good ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace rta::cli
