#include "compare_traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>

#include "analysis_options.hpp"
#include "convert_options.hpp"
#include "evidence.hpp"
#include "played.hpp"
#include "rta/compare/comparison.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/report/comparison_report.hpp"
#include "rta/trace/digest.hpp"
#include "trace_input.hpp"
#include "write_report.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

/// Of `rta convert`, those that shape DAGs and nodes.
constexpr std::array in_recordings{"job-marker", "gpu", "waits", "fuse", "blocking-streams"};

/// The options that are given and, where they leave something open, those that the trace names among its details.
analysis::GivenOptions completed(analysis::GivenOptions given, const trace::Header& header, Release release) {
  for (const auto& detail : header.details) {
    if (analysis::find_option(detail.first) == nullptr) continue;
    if (std::ranges::find(given, detail.first, &analysis::GivenOptions::value_type::first) == given.end()) given.push_back(detail);
  }
  given.emplace_back("release", to_string(release));
  return given;
}

/// The bounds that hold for the way in which the trace's jobs were released.
compare::Bounds bounds_for(const TaskSetInput& input, const trace::Header& header, const analysis::GivenOptions& given,
                           const std::string& trace, std::vector<std::string>& warnings) {
  const std::string how = header.release.value_or("offsets");
  const auto release = release_named(how);
  if (!release || release == Release::grouped) {
    warnings.push_back(trace + ": jobs were released on '" + how + "', for which no bounds are at hand");
    return compare::no_bounds(*input.task_set);
  }
  const Played as_released = played(input.task_set, completed(given, header, *release));
  for (const std::string& warning : as_released.warnings) warnings.push_back(fmt::format("{}: {}", trace, warning));
  return compare::bounds_of(as_released.proof);
}

/// What a program did by itself, beside the bounds for release on completion: a node starts when all that it waits for has ended.
compare::Comparison compare_recording(const TaskSetInput& input, const analysis::GivenOptions& given, const convert::Options& options,
                                      trace::Reader& reader, const std::string& name) {
  const convert::RecordedJobs jobs = convert::recorded_jobs(reader, name, options);
  trace::Header header = jobs.header;
  header.release = to_string(Release::completion);
  std::vector<std::string> warnings;
  const compare::Bounds bounds = bounds_for(input, header, given, name, warnings);
  compare::Comparison comparison =
      compare::compare(*input.task_set, bounds, {header, jobs.records, jobs.complete, jobs.lost_records}, name);
  warnings.push_back(
      fmt::format("{}: a recording tells when jobs began, not when they should have: response times count from there", name));
  comparison.warnings.insert(comparison.warnings.begin(), warnings.begin(), warnings.end());
  return comparison;
}

compare::Comparison compare_one(const TaskSetInput& input, const std::string& sha256, const analysis::GivenOptions& given,
                                const std::optional<convert::Options>& recording, std::istream& in, const std::string& name) {
  trace::Reader reader(in, name);
  std::vector<std::string> warnings;
  const bool recorded = reader.header().source == "recording";
  if (recording && !recorded) throw UsageError(fmt::format("{} is no recording of rta record: its jobs need no options", name));
  if (recorded) return compare_recording(input, given, recording.value_or(convert::Options{}), reader, name);
  const compare::Bounds bounds = bounds_for(input, reader.header(), given, name, warnings);
  compare::Comparison comparison = compare::compare(*input.task_set, bounds, sha256, reader, name);
  comparison.warnings.insert(comparison.warnings.begin(), warnings.begin(), warnings.end());
  return comparison;
}

}  // namespace

void add_recording_options(po::options_description& all) { add_convert_options(all, in_recordings); }

std::optional<convert::Options> recording_options(const po::variables_map& given) {
  const bool any = std::ranges::any_of(in_recordings, [&](const char* name) { return given.count(name) != 0 && !given[name].defaulted(); });
  return any ? std::optional(chosen_convert_options(given)) : std::nullopt;
}

ExitStatus report_comparison(const TaskSetInput& input, const std::vector<std::string>& traces, const analysis::GivenOptions& given,
                             const std::optional<convert::Options>& recording, const std::vector<Target>& all_targets, bool verbose,
                             bool quiet) {
  const std::string sha256 = trace::sha256(input.text);
  std::vector<compare::Comparison> comparisons;
  for (const std::string& path : traces) {
    TraceInput trace(path);
    comparisons.push_back(compare_one(input, sha256, given, recording, trace.stream(), trace.name()));
    note_input(trace.name(), trace.sha256());
  }
  if (!quiet) {
    for (const std::string& warning : input.warnings) std::cerr << "warning: " << warning << '\n';
    for (const auto& comparison : comparisons) {
      for (const std::string& warning : comparison.warnings) std::cerr << "warning: " << warning << '\n';
    }
  }
  for (const Target& target : all_targets) {
    const report::ComparisonReport report{*input.task_set, comparisons, verbose, !target.path && colour_on_standard_output()};
    write_report(target, &report::Format::comparison, report);
  }
  const bool good =
      std::ranges::all_of(comparisons, [](const auto& c) { return c.within_bounds() && c.met_deadlines() && c.valid() && c.conclusive(); });
  return good ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace rta::cli
