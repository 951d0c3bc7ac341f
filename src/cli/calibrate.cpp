#include <fmt/format.h>

#include <boost/program_options/value_semantic.hpp>
#include <fstream>
#include <iostream>

#include "command.hpp"
#include "compare_traces.hpp"
#include "date.hpp"
#include "number.hpp"
#include "output.hpp"
#include "rta/compare/calibration.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/trace/digest.hpp"
#include "task_set_input.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

po::options_description options() {
  po::options_description all;
  all.add_options()("percentile", po::value<std::string>()->value_name("P"),
                    "take the P-th percentile of the observed values, e.g. 99 or 99.9, instead of their maximum");
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

ExitStatus run(const po::variables_map& given, const std::vector<std::string>& arguments) {
  const std::string& trace = arguments[0];
  const auto percentile = text_of(given, "percentile");
  const std::uint32_t ppm = percentile ? parts_per_million(*percentile) : 1'000'000;
  const std::string text = io::read_task_set_text(arguments[1]);
  const auto read = io::parse_task_set(text, arguments[1]);
  std::ifstream file = trace == "-" ? std::ifstream() : open_trace(trace);
  const std::string name = trace == "-" ? "<stdin>" : trace;
  trace::Reader reader(trace == "-" ? std::cin : file, name);
  const auto calibration = compare::calibrate(read.task_set, trace::sha256(text), ppm, reader, name);
  if (!given["quiet"].as<bool>()) {
    for (const io::Diagnostic& warning : read.warnings) std::cerr << "warning: " << warning.text() << '\n';
    for (const std::string& warning : calibration.warnings) std::cerr << "warning: " << warning << '\n';
  }
  if (calibration.replaced == 0) throw io::InputError({{name, 0, 0, "shows no execution times; record with --trace-level block"}});

  const trace::Header& header = calibration.header;
  std::string out = fmt::format("# C and L measured: {} of {} ({}), written {}.\n", percentile ? *percentile + "th percentile" : "maximum",
                                comment_text(name), comment_text(header.source), today());
  out += fmt::format("# Device {}, driver {}, run of {}. From {}.\n", comment_text(header.device.value_or("not said")),
                     comment_text(header.driver.value_or("not said")), comment_text(header.started.value_or("an unknown date")),
                     comment_text(arguments[1]));
  if (!calibration.complete) out += "# The trace is incomplete.\n";
  out += io::format_task_set(calibration.task_set);
  Target target;
  if (const auto path = text_of(given, "output"); path && *path != "-") target.path = *path;
  write(target, [&](std::ostream& stream) { stream << out; });
  return ExitStatus::yes;
}

}  // namespace

const Command& calibrate_command() {
  static const Command command{
      "calibrate",
      "TRACE TASKSET",
      "Write a task set back with the execution times that a trace observed",
      "Reads a trace of the task set in TASKSET, recorded with --trace-level block, and writes the task set with every C and L replaced by "
      "the "
      "observed maximum or by a percentile, marked as measured, with device, driver and date. Copies of a DAG share their observations; "
      "nodes that the trace shows nothing of keep their values, with a warning.\n\n"
      "The exit status is 0 when a task set was written, 2 for bad input or usage, such as a trace of another task set.",
      options,
      2,
      run};
  return command;
}

}  // namespace rta::cli
