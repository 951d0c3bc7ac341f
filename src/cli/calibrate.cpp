#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <iostream>
#include <map>

#include "command.hpp"
#include "compare_traces.hpp"
#include "date.hpp"
#include "number.hpp"
#include "output.hpp"
#include "rta/compare/calibration.hpp"
#include "rta/compare/static_calibration.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/io/digest.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/io/time_text.hpp"
#include "rta/model/error.hpp"
#include "rta/model/time_slices.hpp"
#include "rta/report/overhead_words.hpp"
#include "rta/static_order/graph_file.hpp"
#include "rta/static_order/schedule_file.hpp"
#include "schedule_input.hpp"
#include "task_set_input.hpp"
#include "trace_input.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

po::options_description options_of_calibrate() {
  po::options_description all;
  all.add_options()("percentile", po::value<std::string>()->value_name("P"),
                    "take the P-th percentile of the observed values, e.g. 99 or 99.9, instead of their maximum");
  all.add_options()(
      "overhead", po::value<std::vector<std::string>>()->composing()->value_name("POOL=TIME"),
      "add so much to what was measured on that pool, for what the machine takes to start nodes and to notice their end "
      "(default: that with which the trace was played), e.g. cpu=150us; then play it with the same --overhead of rta run; may "
      "be repeated");
  add_recording_options(all);
  all.add_options()("output,o", po::value<std::string>()->value_name("FILE"), "write to FILE instead of standard output");
  all.add_options()("quiet,q", po::bool_switch(), "no warnings");
  return all;
}

/// The option in millionths of the whole.
std::uint32_t parts_per_million(const std::string& text) {
  const auto ppm = percentage(text);
  if (ppm && *ppm > 0 && *ppm <= 1'000'000) return *ppm;
  throw UsageError("--percentile '" + text + "': must be a number above 0 and at most 100, with at most four places, e.g. 99.9");
}

/// One line of a comment: whatever a trace says must not end it.
std::string comment_text(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text;
}

/// What the file says of where its times are from.
std::string head(const trace::Header& header, bool complete, const std::optional<std::string>& percentile, const std::string& what,
                 const std::string& trace, const std::string& file) {
  std::string out = fmt::format("# {} measured: {} of {} ({}), written {}.\n", what, percentile ? *percentile + "th percentile" : "maximum",
                                comment_text(trace), comment_text(header.source), today());
  out += fmt::format("# Device {}, driver {}, run of {}. From {}.\n", comment_text(header.device.value_or("not said")),
                     comment_text(header.driver.value_or("not said")), comment_text(header.started.value_or("an unknown date")),
                     comment_text(file));
  return complete ? out : out + "# The trace is incomplete.\n";
}

void write_file(const po::variables_map& given, const std::string& text) {
  Target target;
  if (const auto path = text_of(given, "output"); path && *path != "-") target.path = *path;
  write(target, [&](std::ostream& stream) { stream << text; });
}

/// The graph in `path` with the times that a played schedule of it showed.
ExitStatus calibrate_graph(const po::variables_map& given, const std::string& trace, const ScheduleInput& schedule,
                           const std::string& path) {
  const auto percentile = text_of(given, "percentile");
  const std::uint32_t ppm = percentile ? parts_per_million(*percentile) : 1'000'000;
  const std::string text = io::read_task_set_text(path);
  if (io::sha256(text) != schedule.schedule.graph_sha256)
    throw io::InputError({{path, 0, 0, fmt::format("is not the file that {} was made from", schedule.name)}});
  const static_order::GraphResult read = static_order::parse_graph(text, path);
  TraceInput file(trace);
  const std::string& name = file.name();
  trace::Reader reader(file.stream(), name);
  const auto comparison = compare::compare(schedule.schedule, io::sha256(schedule.text), reader, name);
  const auto calibration = compare::calibrate(comparison, read.graph, ppm);
  if (!given["quiet"].as<bool>()) {
    for (const io::Diagnostic& warning : read.warnings) std::cerr << "warning: " << warning.text() << '\n';
    for (const auto* warnings : {&comparison.warnings, &calibration.warnings}) {
      for (const std::string& warning : *warnings) std::cerr << "warning: " << warning << '\n';
    }
  }
  if (calibration.replaced == 0) throw io::InputError({{name, 0, 0, "shows no execution times of that graph"}});
  write_file(given,
             head(comparison.header, comparison.complete, percentile, "WCETs", name, path) + static_order::format_graph(calibration.graph));
  return ExitStatus::yes;
}

/// Times by pool. Throws `UsageError`.
std::map<std::string, Time> overheads_option(const po::variables_map& given, const TaskSet& task_set) {
  std::map<std::string, Time> overheads;
  for (const std::string& value : texts_of(given, "overhead")) {
    const std::size_t equals = std::min(value.find('='), value.size());
    const std::string pool = value.substr(0, equals);
    const auto time = equals < value.size() ? io::parse_time(value.substr(equals + 1)) : std::nullopt;
    const bool known = std::ranges::any_of(task_set.pools(), [&](const Pool& one) { return name_in_file(one) == pool; });
    if (!known || !time || *time < Time::zero() || *time > Time(1'000'000'000'000)) {
      throw UsageError(
          fmt::format("--overhead '{}': expected POOL=TIME, with a pool of the task set and a time of at least 0 and at most "
                      "1000s, e.g. cpu=150us",
                      value));
    }
    overheads[pool] = *time;
  }
  return overheads;
}

/// What a trace shows, or a recording that is cut into jobs by the options.
compare::Calibration calibrated(const po::variables_map& given, const TaskSet& task_set, const std::string& sha256, std::uint32_t ppm,
                                trace::Reader& reader, const std::string& name) {
  const auto overheads = overheads_option(given, task_set);
  const auto recording = recording_options(given);
  if (reader.header().source != "recording") {
    if (recording) throw UsageError(fmt::format("{} is no recording of rta record: its jobs need no options", name));
    return compare::calibrate(task_set, sha256, ppm, reader, name, overheads);
  }
  if (!overheads.empty()) throw UsageError("--overhead goes with a trace of rta run: a recording shows the program as it is");
  const convert::RecordedJobs jobs = convert::recorded_jobs(reader, name, recording.value_or(convert::Options{}));
  return compare::calibrate(task_set, ppm, {jobs.header, jobs.records, jobs.complete, jobs.lost_records}, name);
}

void propose_overheads(const TaskSet& task_set, const compare::Calibration& calibration, const std::string& file) {
  if (calibration.overheads.empty()) return;
  for (const compare::SeenOverhead& seen : calibration.overheads) std::cerr << report::overhead_in_words(task_set, seen) << '\n';
  const std::string options = report::overhead_options(task_set, calibration.overheads);
  std::cerr << fmt::format("to have it in C and L, add{}, and play the result so: rta run {}{}\n", options, file, options);
}

ExitStatus run_calibrate(const po::variables_map& given, const std::vector<std::string>& arguments) {
  const std::string& trace = arguments[0];
  const auto percentile = text_of(given, "percentile");
  const std::uint32_t ppm = percentile ? parts_per_million(*percentile) : 1'000'000;
  std::string text = io::read_task_set_text(arguments[1]);
  if (static_order::is_schedule(text)) {
    if (arguments.size() != 3)
      throw UsageError("calibrate needs TRACE SCHEDULE GRAPH: the graph gets the times that a played schedule showed");
    if (recording_options(given)) throw UsageError("options for finding jobs go with a recording and its task set");
    return calibrate_graph(given, trace, parse_schedule_input(std::move(text), arguments[1]), arguments[2]);
  }
  if (arguments.size() != 2) throw UsageError("calibrate takes TRACE TASKSET; a third file goes with a schedule");
  const auto read = io::parse_task_set(text, arguments[1]);
  if (measured_alone(read.task_set)) {
    throw UserError(arguments[1] +
                    ": kernels were measured alone (`alone`), and a trace shows them beside whatever ran then; give durations without "
                    "`alone` to replace them by those of the trace");
  }
  TraceInput file(trace);
  const std::string& name = file.name();
  trace::Reader reader(file.stream(), name);
  const auto calibration = calibrated(given, read.task_set, io::sha256(text), ppm, reader, name);
  if (!given["quiet"].as<bool>()) {
    for (const io::Diagnostic& warning : read.warnings) std::cerr << "warning: " << warning.text() << '\n';
    for (const std::string& warning : calibration.warnings) std::cerr << "warning: " << warning << '\n';
    if (given.count("overhead") == 0) propose_overheads(read.task_set, calibration, text_of(given, "output").value_or("FILE"));
  }
  if (calibration.replaced == 0) throw io::InputError({{name, 0, 0, "shows no execution times; record with --trace-level block"}});

  write_file(given, head(calibration.header, calibration.complete, percentile, "C and L", name, arguments[1]) +
                        io::format_task_set(calibration.task_set));
  return ExitStatus::yes;
}

}  // namespace

const Command& calibrate_command() {
  static const Command command{
      "calibrate",
      "TRACE TASKSET|(SCHEDULE GRAPH)",
      "Write a task set back with the execution times that a trace observed",
      "Reads a trace of the task set in TASKSET, recorded with --trace-level block, and writes the task set with every C and L replaced by "
      "the "
      "observed maximum or by a percentile, marked as measured, with device, driver and date. Copies of a DAG share their observations; "
      "nodes that the trace shows nothing of keep their values, with a warning.\n\n"
      "A recording of rta record goes with the task set that rta convert made of it or of another, given the same options for finding "
      "jobs.\n\n"
      "With a SCHEDULE that `rta compile` wrote and the GRAPH that it was made from, it writes the graph with the times of each runnable "
      "that a "
      "trace of the played schedule shows as its WCETs.\n\n"
      "The exit status is 0 when a task set was written, 2 for bad input or usage, such as a trace of another task set.",
      options_of_calibrate,
      2,
      run_calibrate,
      1,
      {{"rta calibrate trace.jsonl tasksets/examples/pedestrian.yaml -o measured.yaml", "C and L as the trace shows them"},
       {"rta calibrate trace.jsonl tasksets/examples/pedestrian.yaml --percentile 99 -o measured.yaml", "their 99th percentiles"}}};
  return command;
}

}  // namespace rta::cli
