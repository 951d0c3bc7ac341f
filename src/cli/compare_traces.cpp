#include "compare_traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "rta/compare/comparison.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/report/comparison_report.hpp"
#include "rta/trace/digest.hpp"
#include "rta/validation/release_plan.hpp"

namespace rta::cli {
namespace {

/// No bound for any DAG or node.
compare::Bounds no_bounds(const TaskSet& task_set) {
  compare::Bounds bounds;
  for (const Dag& dag : task_set.dags()) {
    bounds.reference.emplace_back(dag.nodes().size());
    bounds.node.emplace_back(dag.nodes().size());
    bounds.dag.emplace_back();
  }
  return bounds;
}

/// The bounds that hold for the way in which the trace's jobs were released.
compare::Bounds bounds_for(const TaskSetInput& input, const trace::Header& header, const Choices& choices, const std::string& trace,
                           std::vector<std::string>& warnings) {
  const std::string how = header.release.value_or("offsets");
  const auto release = validation::release_named(how);
  if (!release) {
    warnings.push_back(trace + ": jobs were released on '" + how + "', for which no bounds are at hand");
    return no_bounds(*input.task_set);
  }
  const analysis::Analysis analysis = analyzed(input.task_set, *release, completed(choices, header.details));
  validation::ReleasePlan plan = validation::release_plan(analysis, *release);
  for (const std::string& warning : analysis.warnings) warnings.push_back(fmt::format("{}: {}", trace, warning));
  for (const std::string& warning : plan.warnings) warnings.push_back(fmt::format("{}: {}", trace, warning));
  compare::Bounds bounds{{}, std::move(plan.node_bound), std::move(plan.dag_bound)};
  for (const auto& dag : plan.schedule.nodes) {
    auto& row = bounds.reference.emplace_back();
    for (const simulate::NodeSchedule& node : dag) row.push_back(node.reference);
  }
  return bounds;
}

compare::Comparison compare_one(const TaskSetInput& input, const std::string& sha256, const Choices& choices, std::istream& in,
                                const std::string& name) {
  trace::Reader reader(in, name);
  std::vector<std::string> warnings;
  const compare::Bounds bounds = bounds_for(input, reader.header(), choices, name, warnings);
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

ExitStatus report_comparison(const TaskSetInput& input, const std::vector<std::string>& traces, const Choices& choices,
                             const std::vector<Target>& all_targets, bool verbose, bool quiet) {
  const std::string sha256 = trace::sha256(input.text);
  std::vector<compare::Comparison> comparisons;
  for (const std::string& path : traces) {
    if (path == "-") {
      comparisons.push_back(compare_one(input, sha256, choices, std::cin, "<stdin>"));
      continue;
    }
    std::ifstream file = open_trace(path);
    comparisons.push_back(compare_one(input, sha256, choices, file, path));
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
  const bool good = std::ranges::all_of(comparisons, [](const auto& c) { return c.within_bounds() && c.valid() && c.conclusive(); });
  return good ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace rta::cli
