#include "schedule_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "analysis_options.hpp"
#include "evidence.hpp"
#include "rta/compare/static_comparison.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/io/digest.hpp"
#include "rta/report/static_comparison_report.hpp"
#include "rta/static_order/schedule_file.hpp"
#include "rta/trace/reader.hpp"
#include "trace_input.hpp"
#include "write_report.hpp"

namespace rta::cli {

ScheduleInput parse_schedule_input(std::string text, const std::string& path) {
  const std::string shown = path == "-" ? "<stdin>" : path;
  ScheduleInput input{std::move(text), path == "-" ? "-" : std::filesystem::path(path).filename().string(), {}, {}};
  input.schedule = static_order::parse_schedule(input.text, shown);
  for (const static_order::ScheduledHyperepoch& hyperepoch : input.schedule.hyperepochs) {
    static_order::Cycle cycle;
    auto proof = static_order::prove(hyperepoch, cycle);
    if (!proof)
      throw io::InputError({{shown, 0, 0, fmt::format("hyperepoch '{}' deadlocks; rta compile --check says where", hyperepoch.name)}});
    input.proofs.push_back(std::move(*proof));
  }
  return input;
}

void refuse_options(const boost::program_options::variables_map& given, std::initializer_list<const char*> options, const char* what) {
  for (const char* option : options) {
    if (given.count(option) == 0 || given[option].defaulted()) continue;
    throw UsageError(fmt::format("--{} has no effect on {}", option, what));
  }
}

void refuse_analysis_options(const boost::program_options::variables_map& given, const char* what) {
  if (const analysis::OptionEntry* option = first_given_option(given))
    throw UsageError(fmt::format("--{} has no effect on {}", option->name, what));
}

ExitStatus report_static_comparison(const ScheduleInput& input, const std::vector<std::string>& traces,
                                    const std::vector<Target>& all_targets, bool verbose, bool quiet) {
  const std::string sha256 = io::sha256(input.text);
  std::vector<compare::StaticComparison> comparisons;
  for (const std::string& path : traces) {
    TraceInput trace(path);
    trace::Reader reader(trace.stream(), trace.name());
    comparisons.push_back(compare::compare(input.schedule, sha256, reader, trace.name()));
    note_input(trace.name(), trace.sha256());
  }
  for (const compare::StaticComparison& comparison : comparisons) {
    for (const std::string& warning : comparison.warnings) {
      if (!quiet) std::cerr << "warning: " << warning << '\n';
    }
  }
  for (const Target& target : all_targets) {
    const report::StaticComparisonReport report{input.schedule, input.name, input.proofs,
                                                comparisons,    verbose,    !target.path && colour_on_standard_output()};
    write_report<report::StaticComparisonReport>(target, report);
  }
  const bool good = std::ranges::all_of(comparisons, [](const auto& c) { return c.as_proven() && c.valid() && c.conclusive(); });
  return good ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace rta::cli
