#include "rta/static_order/compile.hpp"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): SIGINT

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <stop_token>
#include <utility>

#include "choice.hpp"
#include "command.hpp"
#include "evidence.hpp"
#include "number.hpp"
#include "output.hpp"
#include "process/signals.hpp"
#include "progress_line.hpp"
#include "rta/io/digest.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/io/time_text.hpp"
#include "rta/report/schedule_report.hpp"
#include "rta/report/time_text.hpp"
#include "rta/static_order/graph_file.hpp"
#include "rta/static_order/schedule_file.hpp"
#include "rta/static_order/task_set_graph.hpp"
#include "rta/static_order/verify.hpp"
#include "static_analysis.hpp"
#include "task_set_input.hpp"
#include "write_report.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;
using static_order::GpuSharing;
using static_order::Objective;
using static_order::Submittee;

constexpr Choice<Objective> objectives[] = {
    {"length", Objective::length}, {"lateness", Objective::lateness}, {"end-to-end", Objective::end_to_end}};
constexpr Choice<Submittee> submittees[] = {{"after", Submittee::after}, {"overlap", Submittee::overlap}};
constexpr Choice<GpuSharing> sharings[] = {
    {"best", GpuSharing::best}, {"one", GpuSharing::one}, {"weights", GpuSharing::weights}, {"streams", GpuSharing::streams}};

/// The schedule itself, beside the formats that show it.
const report::Format schedule_format{.name = "yaml", .extension = "yaml"};

/// All that show a schedule, and the schedule itself.
std::vector<const report::Format*> formats() {
  std::vector<const report::Format*> all = formats_of<report::ScheduleReport>();
  all.push_back(&schedule_format);
  return all;
}

po::options_description options_of_compile() {
  po::options_description all;
  all.add_options()("output,o", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
                    "write to FILE instead of standard output: .yaml is the schedule, which only exists when nothing is late; .txt, .json, "
                    ".csv and .html "
                    "show it; may be repeated");
  all.add_options()("format", po::value<std::string>()->value_name("NAME"),
                    "text, json, csv, html, pdf or yaml, whatever the file is called");
  all.add_options()(
      "check", po::value<std::string>()->value_name("SCHEDULE"),
      "do not search: check that this schedule, perhaps edited by hand, is one of FILE: resources, order, deadlock, deadlines; -o "
      "with .yaml writes it back with the times that are proven");
  all.add_options()(
      "objective", po::value<std::string>()->value_name("NAME")->default_value("length"),
      "what is made small once all deadlines are met: length (of each hyperepoch), lateness (the largest end less its deadline or "
      "period) or end-to-end (the longest time from a frame's start to its end)");
  all.add_options()("submittee", po::value<std::string>()->value_name("WHEN")->default_value("after"),
                    "what is submitted starts after its submitter, or may overlap with it; then it takes at least as long, from its "
                    "submitter's start");
  all.add_options()(
      "gpu", po::value<std::string>()->value_name("HOW")->default_value("best"),
      "how kernels whose blocks are known share a GPU: one at a time, by weights (orders keep them so few that all blocks find "
      "room), by streams (they wait for one another), or best, whichever is shortest");
  all.add_options()("time-limit", po::value<std::string>()->value_name("TIME"),
                    "end the search after TIME, e.g. 500ms or 2m (default: 10s, or none with --effort)");
  all.add_options()("effort", po::value<std::string>()->value_name("N"),
                    "search for N rounds of a fixed amount of work: the result is the same every time, whatever the machine");
  all.add_options()("seed", po::value<std::string>()->value_name("N")->default_value("1"), "seed of the search");
  all.add_options()("threads", po::value<std::string>()->value_name("N"), "threads that search (default: one per processor)");
  all.add_options()("explain", po::value<std::vector<std::string>>()->composing()->value_name("RUNNABLE"),
                    "in text: put the numbers into the proof of a runnable's latest end (client.runnable, or runnable); may be repeated");
  all.add_options()("verbose,v", po::bool_switch(), "in text: all runnables, however many");
  add_evidence_option(all);
  all.add_options()("quiet,q", po::bool_switch(), "no warnings and no progress");
  return all;
}

struct Input {
  std::string text;
  std::string name;  // without folders
  static_order::Graph graph;
};

Input read_graph(const std::string& path, bool quiet) {
  Input input;
  input.text = io::read_task_set_text(path);
  const std::string name = path == "-" ? "<stdin>" : path;
  input.name = path == "-" ? "-" : std::filesystem::path(path).filename().string();
  auto read = static_order::parse_task_set_or_graph(input.text, name);
  std::vector<io::Diagnostic> warnings;
  if (auto* graph = std::get_if<static_order::GraphResult>(&read)) {
    input.graph = std::move(graph->graph);
    warnings = std::move(graph->warnings);
  } else {
    auto& set = std::get<io::ReadResult>(read);
    input.graph = static_order::graph_of(set.task_set);
    warnings = std::move(set.warnings);
    if (measured_alone(set.task_set) && !quiet) {
      std::cerr
          << "warning: kernels that were measured alone count as if all that edges do not keep apart were beside them, other jobs of their "
             "DAG, too\n";
    }
    if (const auto unused = static_order::unused_phase(set.task_set); unused && !quiet) std::cerr << "warning: " << *unused << '\n';
  }
  for (const io::Diagnostic& warning : warnings) {
    if (!quiet) std::cerr << "warning: " << warning.text() << '\n';
  }
  return input;
}

std::optional<std::chrono::nanoseconds> time_limit(const po::variables_map& given) {
  const auto text = text_of(given, "time-limit");
  if (!text) return given.count("effort") != 0 ? std::nullopt : std::optional<std::chrono::nanoseconds>(std::chrono::seconds(10));
  const auto time = io::parse_time(*text);
  if (!time) throw UsageError(fmt::format("--time-limit '{}': must be a time, e.g. 500ms or 2m", *text));
  return std::chrono::nanoseconds(time->count());
}

static_order::CompileOptions compile_options(const po::variables_map& given, std::stop_token stop) {
  static_order::CompileOptions options;
  options.objective = chosen("objective", given["objective"].as<std::string>(), objectives);
  options.submittee = chosen("submittee", given["submittee"].as<std::string>(), submittees);
  options.gpu = chosen("gpu", given["gpu"].as<std::string>(), sharings);
  options.seed = whole_number(given, "seed", 0, any_number);
  if (given.count("effort") != 0) options.effort = whole_number(given, "effort", 0, 1'000'000'000);
  if (given.count("threads") != 0) options.threads = static_cast<unsigned>(whole_number(given, "threads", 1, 4096));
  options.time_limit = time_limit(given);
  options.stop = std::move(stop);
  return options;
}

void require_effect_of_options(const po::variables_map& given, const std::vector<Target>& targets) {
  if (given.count("check") != 0) {
    for (const char* option : {"objective", "submittee", "gpu", "seed"}) {
      if (!given[option].defaulted()) throw UsageError(fmt::format("--{} has no effect with --check, which searches nothing", option));
    }
    for (const char* option : {"effort", "threads", "time-limit"}) {
      if (given.count(option) != 0) throw UsageError(fmt::format("--{} has no effect with --check, which searches nothing", option));
    }
  }
  const bool text = std::ranges::any_of(targets, [](const Target& t) { return t.format->name == "text"; });
  if (!text && given.count("explain") != 0) throw UsageError("--explain needs text output");
  if (!text && given["verbose"].as<bool>()) throw UsageError("--verbose needs text output");
}

void write_all(const std::vector<Target>& targets, const report::ScheduleReport& report, bool schedule_stands) {
  for (const Target& target : targets) {
    if (target.format == &schedule_format) {
      if (schedule_stands) write(target, [&](std::ostream& out) { out << static_order::format_schedule(report.schedule); });
      continue;
    }
    report::ScheduleReport shown = report;
    shown.colour = !target.path && colour_on_standard_output();
    write_report<report::ScheduleReport>(target, shown);
  }
  const bool wanted = std::ranges::any_of(targets, [](const Target& t) { return t.format == &schedule_format; });
  if (wanted && !schedule_stands)
    std::cerr << "rta: no schedule was written: " << (report.faults == nullptr ? "something may end late" : "it is not sound") << '\n';
}

report::ScheduleReport report_of(const po::variables_map& given, const Input& input, const static_order::Schedule& schedule) {
  report::ScheduleReport report{.file = input.name, .schedule = schedule};
  report.verbose = given["verbose"].as<bool>();
  if (given.count("explain") != 0) report.explained = given["explain"].as<std::vector<std::string>>();
  for (const std::string& name : report.explained) {
    if (!report::has_runnable(schedule, name)) throw UsageError(fmt::format("--explain '{}': no runnable has that name", name));
  }
  return report;
}

ExitStatus compile(const po::variables_map& given, const Input& input, const std::vector<Target>& targets) {
  const process::StopRequest interrupted{SIGINT};  // ends the search with the best so far
  static_order::CompileOptions options = compile_options(given, interrupted.token());
  tell_many_jobs(given, input.graph);
  ProgressLine line(shows_progress(given));
  options.progress = [&](const static_order::CompileProgress& progress) {
    line.update([&] {
      return fmt::format("{}: {}, at least {}", progress.hyperepoch, report::time_text(progress.length),
                         report::time_text(progress.lower_bound));
    });
  };
  static_order::Compilation compiled = static_order::compile(input.graph, options);
  compiled.schedule.graph = input.name;
  compiled.schedule.graph_sha256 = io::sha256(input.text);
  report::ScheduleReport report = report_of(given, input, compiled.schedule);
  report.objective = options.objective;
  for (const static_order::CompiledHyperepoch& hyperepoch : compiled.hyperepochs)
    report.hyperepochs.push_back({&hyperepoch.proof, &hyperepoch, {}});
  write_all(targets, report, compiled.feasible());
  return report.good() ? ExitStatus::yes : ExitStatus::no;
}

// The times that are proven, in place of those that were claimed.
void take_times(static_order::Schedule& schedule, const static_order::Verification& verified) {
  for (std::size_t i = 0; i < schedule.hyperepochs.size(); ++i) {
    if (!verified.proofs[i]) continue;
    static_order::ScheduledHyperepoch& hyperepoch = schedule.hyperepochs[i];
    hyperepoch.length = verified.proofs[i]->length;
    for (std::size_t id = 0; id < hyperepoch.runnables.size(); ++id) {
      hyperepoch.runnables[id].start = verified.proofs[i]->runnables[id].start;
      hyperepoch.runnables[id].end = verified.proofs[i]->runnables[id].end;
    }
  }
}

ExitStatus check(const po::variables_map& given, const Input& input, const std::string& path, const std::vector<Target>& targets) {
  static_order::Schedule schedule = static_order::parse_schedule(io::read_task_set_text(path), path == "-" ? "<stdin>" : path);
  const std::string sha256 = io::sha256(input.text);
  if (schedule.graph_sha256 != sha256 && !given["quiet"].as<bool>())
    std::cerr << fmt::format("warning: {} was made from another {} than this one; it is checked against this one\n", path, schedule.graph);
  const static_order::Verification verified = static_order::verify(schedule, input.graph);
  report::ScheduleReport report = report_of(given, input, schedule);
  report.faults = &verified.faults;
  for (const auto& proof : verified.proofs) report.hyperepochs.push_back({proof ? &*proof : nullptr, nullptr, {}});
  // Times that were claimed too small are no reason not to write those that are proven.
  const bool stands =
      std::ranges::all_of(verified.faults, [](const auto& fault) { return fault.kind == static_order::Fault::Kind::claim; });
  take_times(schedule, verified);
  schedule.graph = input.name;
  schedule.graph_sha256 = sha256;
  write_all(targets, report, stands);
  return report.good() ? ExitStatus::yes : ExitStatus::no;
}

ExitStatus run_compile(const po::variables_map& given, const std::vector<std::string>& arguments) {
  std::vector<std::string> outputs;
  if (given.count("output") != 0) outputs = given["output"].as<std::vector<std::string>>();
  const std::vector<Target> all_targets = targets(text_of(given, "format"), outputs, formats());
  require_converters(all_targets, drawn_as<report::ScheduleReport>());
  require_effect_of_options(given, all_targets);
  const Input input = read_graph(arguments.front(), given["quiet"].as<bool>());
  if (const auto schedule = text_of(given, "check")) return check(given, input, *schedule, all_targets);
  return compile(given, input, all_targets);
}

}  // namespace

const Command& compile_command() {
  static const Command command{
      "compile",
      "FILE",
      "Make a static schedule of a graph or a task set",
      "Looks for the best order in which every CPU, GPU, stream and mutex serves the runnables of FILE (a graph "
      "of the System Task Manager, Version 3.0.0, "
      "or a task set; - is standard input), without preemption. List schedules come first, then a tabu search and "
      "an exact search on all cores, until the "
      "lower bound is met, the time is over or Ctrl-C is pressed. It prints the latest end of everything, which "
      "is proven from the order alone and holds for "
      "all execution times up to the WCETs, beside a lower bound that no schedule is below.\n\n"
      "The exit status is 0 when nothing ends after its deadline or its period (--check: and the schedule is one "
      "of FILE), 1 when something may, 2 for bad "
      "input or usage.",
      options_of_compile,
      1,
      run_compile,
      0,
      {{"rta compile tasksets/static/cpu_gpu.yaml -o schedule.yaml", "an order for each CPU, GPU and stream"},
       {"rta compile tasksets/static/cpu_gpu.yaml --check schedule.yaml", "whether a schedule is one of this graph"}}};
  return command;
}

}  // namespace rta::cli
