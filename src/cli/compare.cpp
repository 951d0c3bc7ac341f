#include <boost/program_options/value_semantic.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "analysis_options.hpp"
#include "command.hpp"
#include "compare_traces.hpp"
#include "evidence.hpp"
#include "output.hpp"
#include "rta/compare/observed.hpp"
#include "rta/io/new_file.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/report/comparison_report.hpp"
#include "rta/static_order/schedule_file.hpp"
#include "rta/trace/labels.hpp"
#include "rta/trace/writer.hpp"
#include "schedule_input.hpp"
#include "task_set_input.hpp"
#include "time_style.hpp"
#include "trace_input.hpp"
#include "write_report.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

po::options_description options_of_compare() {
  po::options_description all;
  add_analysis_options(all, std::array<std::string_view, 1>{"release"});
  add_recording_options(all);
  add_window_option(all);
  all.add_options()("verbose,v", po::bool_switch(), "show every node and every self-check of the run");
  all.add_options()("format", po::value<std::string>()->value_name("NAME"), "text (default), json, csv, html, svg, pdf or png");
  all.add_options()("output,o", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
                    "write to FILE instead of standard output; the extension (.txt, .json, .csv, .html; of one trace .svg, .pdf or .png: "
                    "the timeline alone) tells the format; may be repeated");
  all.add_options()("trace", po::value<std::string>()->value_name("FILE"),
                    "also write the trace, one of a task set, as Chrome trace events (.json), of which ui.perfetto.dev opens millions");
  all.add_options()("with", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
                    "another task set, of which some of the traces are; may be repeated");
  add_digits_option(all);
  add_evidence_option(all);
  all.add_options()("quiet,q", po::bool_switch(), "no warnings");
  return all;
}

/// The whole trace, however long, for a viewer that draws the part that is looked at.
void write_events(const std::string& path, const std::string& trace, const TaskSet& task_set) {
  TraceInput in(trace);
  trace::Reader reader(in.stream(), in.name());
  if (reader.header().source == "recording")
    throw UsageError(in.name() + " is a recording of rta record: --trace goes with traces of jobs");
  io::NewFile file(path);
  trace::ChromeWriter writer(file.stream(), trace::labels(task_set), simulate::Detail::block);
  compare::tell(task_set, reader, in.name(), writer);
  writer.finish();
  file.publish();
}

ExitStatus run_compare(const po::variables_map& given, const std::vector<std::string>& arguments) {
  std::vector<std::string> outputs;
  if (given.count("output") != 0) outputs = given["output"].as<std::vector<std::string>>();
  const std::string& path = arguments.back();
  std::string text = io::read_task_set_text(path);
  const std::vector<std::string> traces(arguments.begin(), arguments.end() - 1);
  const bool verbose = given["verbose"].as<bool>();
  const bool quiet = given["quiet"].as<bool>();
  if (static_order::is_schedule(text)) {
    refuse_analysis_options(given, "a schedule");
    refuse_options(given, {"window", "with", "trace"}, "a schedule");
    const auto played_targets = targets<report::StaticComparisonReport>(text_of(given, "format"), outputs);
    require_converters(played_targets, drawn_as<report::StaticComparisonReport>());
    return report_static_comparison(parse_schedule_input(std::move(text), path), traces, played_targets, verbose, quiet);
  }
  const report::ShownTimes shown_times(time_style(given, text));
  const auto all_targets = targets<report::ComparisonReport>(text_of(given, "format"), outputs);
  const ComparisonOptions chosen{
      given_options(given), recording_options(given), shown_of_each(given, all_targets, traces.size()), verbose, quiet, path};
  std::vector<TaskSetInput> inputs{parse_input(std::move(text), path)};
  for (const std::string& other : texts_of(given, "with")) inputs.push_back(read_input(other));
  const auto events = text_of(given, "trace");
  if (events) {
    if (traces.size() != 1 || traces.front() == "-") throw UsageError("--trace writes one trace, read from a file");
    if (!events->ends_with(".json")) throw UsageError("--trace '" + *events + "': the name of Chrome trace events ends in .json");
    require_writable(*events);
  }
  const ExitStatus status = report_comparison(inputs, traces, chosen, all_targets);
  if (events) write_events(*events, traces.front(), *inputs.front().task_set);
  return status;
}

}  // namespace

const Command& compare_command() {
  static const Command command{
      "compare",
      "TRACE... TASKSET",
      "Put observed response times beside their bounds",
      "Reads one or more traces (of a generated workload or of the simulator; - is standard input) of the task set in TASKSET, the file "
      "that "
      "they were made from: one that says something else is refused; comments and layout do not matter. Prints per DAG (with --verbose per "
      "node, too) how many jobs there "
      "were, their largest, mean and 99th-percentile response times, the bound, how many jobs were above it and how many ended after the "
      "deadline, each with what the trace "
      "shows of the reasons, and the latencies of chains. Several traces also appear side by side; with --with they may be of several task "
      "sets, variants of one: fine-grained, coarse-grained and "
      "monolithic DAGs, threads and processes. A trace that was cut short is compared "
      "as far as it goes.\n\n"
      "Traces of a static schedule go with the schedule's file in place of TASKSET: then it prints per runnable its WCET beside what was "
      "observed, how late it woke up, how much its starts differ, and how far its latest end stayed below what is proven; skipped frames; "
      "and the load of each resource.\n\n"
      "A recording of rta record goes with the task set that rta convert made of it, given the same options for finding jobs; its jobs are "
      "compared with the bounds for release on completion.\n\n"
      "The exit status is 0 when no job or chain of any trace was above its bound, ended after its deadline or passed its limit, 1 when "
      "some "
      "did, when a run says of "
      "itself that it is invalid, "
      "or "
      "when nothing could be compared, 2 for bad input or usage.",
      options_of_compare,
      2,
      run_compare,
      1000,
      {{"rta compare trace.jsonl tasksets/examples/pedestrian.yaml", "observed times beside bounds"},
       {"rta compare trace.jsonl tasksets/examples/pedestrian.yaml -o compared.html", "the same as a page with timelines"}}};
  return command;
}

}  // namespace rta::cli
