#include "compare_traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "analysis_options.hpp"
#include "played.hpp"
#include "rta/compare/comparison.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/report/comparison_report.hpp"
#include "rta/trace/digest.hpp"

namespace rta::cli {
namespace {

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

compare::Comparison compare_one(const TaskSetInput& input, const std::string& sha256, const analysis::GivenOptions& given, std::istream& in,
                                const std::string& name) {
  trace::Reader reader(in, name);
  std::vector<std::string> warnings;
  const compare::Bounds bounds = bounds_for(input, reader.header(), given, name, warnings);
  compare::Comparison comparison = compare::compare(*input.task_set, bounds, sha256, reader, name);
  comparison.warnings.insert(comparison.warnings.begin(), warnings.begin(), warnings.end());
  return comparison;
}

}  // namespace

std::ifstream open_trace(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw io::InputError({{path, 0, 0, "cannot be opened: " + std::generic_category().message(errno)}});
  if (std::filesystem::is_directory(path)) {  // opens, and is empty
    throw io::InputError({{path, 0, 0, "cannot be read: " + std::generic_category().message(EISDIR)}});
  }
  return file;
}

ExitStatus report_comparison(const TaskSetInput& input, const std::vector<std::string>& traces, const analysis::GivenOptions& given,
                             const std::vector<Target>& all_targets, bool verbose, bool quiet) {
  const std::string sha256 = trace::sha256(input.text);
  std::vector<compare::Comparison> comparisons;
  for (const std::string& path : traces) {
    if (path == "-") {
      comparisons.push_back(compare_one(input, sha256, given, std::cin, "<stdin>"));
      continue;
    }
    std::ifstream file = open_trace(path);
    comparisons.push_back(compare_one(input, sha256, given, file, path));
  }
  if (!quiet) {
    for (const std::string& warning : input.warnings) std::cerr << "warning: " << warning << '\n';
    for (const auto& comparison : comparisons) {
      for (const std::string& warning : comparison.warnings) std::cerr << "warning: " << warning << '\n';
    }
  }
  for (const Target& target : all_targets) {
    const report::ComparisonReport report{*input.task_set, comparisons, verbose, !target.path && colour_on_standard_output()};
    write(target, [&](std::ostream& out) { target.format->comparison(report, out); });
  }
  const bool good =
      std::ranges::all_of(comparisons, [](const auto& c) { return c.within_bounds() && c.met_deadlines() && c.valid() && c.conclusive(); });
  return good ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace rta::cli
