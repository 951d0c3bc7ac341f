#include "rta/convert/convert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/program_options/value_semantic.hpp>
#include <chrono>
#include <filesystem>
#include <iostream>

#include "command.hpp"
#include "convert_options.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "recorded_model.hpp"
#include "rta/convert/reading.hpp"
#include "rta/io/canonical_json.hpp"
#include "rta/io/experiment_file.hpp"
#include "rta/io/task_set_pieces.hpp"
#include "rta/static_order/graph_file.hpp"
#include "task_set_input.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

struct Format {
  const char* name;
  std::vector<std::string> extensions;
};
const std::array<Format, 6>& written_formats() {
  static const std::array<Format, 6> all{{{"yaml", {".yaml", ".yml"}},
                                          {"json", {".json"}},
                                          {"dot", {".dot", ".gv"}},
                                          {"sag", {".csv"}},
                                          {"stm", {}},
                                          {"callback-isolated", {}}}};
  return all;
}

po::options_description options_of_convert() {
  po::options_description all;
  all.add_options()(
      "from", po::value<std::string>()->value_name("KIND"),
      "what FILE is: kineto, nsys, nsys-stats, trtexec, sched, ros2, amalthea, sag, dag-scheduling, stg, tgff, dot, openvx, stm, examiner, "
      "trace, recording or task-set (default: "
      "as its content shows)");
  all.add_options()("to", po::value<std::string>()->value_name("FORMAT"),
                    "yaml (default), json (canonical), dot, sag, stm or callback-isolated (the threads of callback_isolated_executor)");
  add_convert_options(all);
  all.add_options()("output,o", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
                    "write to FILE instead of standard output; the extension (.yaml, .json, .dot, .csv) tells the format; may be repeated");
  all.add_options()(
      "accept-difference", po::bool_switch(),
      "write a model of a profile or recording though its jobs are shorter than recorded ones, its GPU busy for another time, or "
      "shared by processes in turns of which the length is not said");
  all.add_options()("readers", po::bool_switch(), "print what is read, told and refused of each kind of file; takes no FILE");
  all.add_options()("quiet,q", po::bool_switch(), "no warnings, no assumptions on standard error, no progress");
  return all;
}

/// The format of an output, or of standard output.
std::string format_of(const std::optional<std::string>& to, const std::string& output) {
  std::string allowed;
  for (const Format& format : written_formats()) {
    if (to == format.name) return *to;
    allowed += (allowed.empty() ? "" : ", ") + std::string(format.name);
  }
  if (to) throw UsageError(fmt::format("--to '{}': no such format (allowed: {})", *to, allowed));
  if (output == "-") return "yaml";
  const std::string extension = fs::path(output).extension().string();
  for (const Format& format : written_formats()) {
    for (const std::string& known : format.extensions) {
      if (extension == known) return format.name;
    }
  }
  throw UsageError(fmt::format("the name '{}' tells no format; add --to (allowed: {})", output, allowed));
}

// A file, or standard output, and what to write there.
struct Output {
  Target target;
  std::string format;
};

// Throws when it cannot be written.
Target target_of(const fs::path& path) {
  Target target;
  if (path == "-") return target;
  require_writable(path);
  target.path = path;
  return target;
}

const TaskSet& task_set_of(const convert::Converted& converted, const std::string& format) {
  if (const auto* set = std::get_if<TaskSet>(&converted.content)) return *set;
  throw UsageError(fmt::format("--to {}: an experiment is written as yaml only", format));
}

/// The comment, each line behind `mark`.
std::string comment(const convert::Converted& converted, const std::string& name, const char* mark) {
  std::string text;
  for (const std::string& line : convert::comment_of(converted, name)) text += fmt::format("{} {}\n", mark, line);
  return text;
}

void write_yaml(const convert::Converted& converted, const Target& target, const std::string& shown) {
  if (const auto* experiment = std::get_if<Experiment>(&converted.content)) {
    write(target, [&](std::ostream& out) { out << comment(converted, shown, "#") << io::format_experiment(*experiment); });
    return;
  }
  // Whoever could not be written is refused before anything is.
  const auto& set = std::get<TaskSet>(converted.content);
  io::write_task_set(set, [](std::string_view) {});
  write_at_once(target, [&](std::ostream& out) {
    out << comment(converted, shown, "#");
    io::write_task_set(set, [&](std::string_view text) { out << text; });
  });
}

/// Jobs in one file, their precedence beside it.
void write_job_set(const convert::Converted& converted, const Target& target, bool quiet) {
  const convert::JobSet jobs = convert::format_job_set(task_set_of(converted, "sag"));
  if (!quiet) {
    for (const std::string& sentence : jobs.assumed) std::cerr << "assumed: " << sentence << '\n';
  }
  if (!target.path && !jobs.precedence.empty())
    throw UsageError("--to sag: the jobs wait for one another, which is a second file: give -o FILE.csv");
  if (!jobs.precedence.empty()) {
    fs::path beside = *target.path;
    beside.replace_extension(".prec.csv");
    write(target_of(beside), [&](std::ostream& out) { out << jobs.precedence; });
  }
  write(target, [&](std::ostream& out) { out << jobs.jobs; });
}

/// The threads of callback groups; which there are, `groups` says.
void write_isolated(const convert::Converted& converted, const Target& target, const std::string& groups, bool quiet) {
  const convert::IsolatedThreads threads = convert::format_callback_isolated(task_set_of(converted, "callback-isolated"), groups);
  if (!quiet) {
    for (const io::Diagnostic& warning : threads.warnings) std::cerr << "warning: " << warning.text() << '\n';
    for (const std::string& sentence : threads.assumed) std::cerr << "assumed: " << sentence << '\n';
  }
  write(target, [&](std::ostream& out) {
    out << "# The threads of callback groups, as the task set has their callbacks.\n";
    for (const std::string& sentence : threads.assumed) out << "# - " << sentence << '\n';
    out << threads.text;
  });
}

void write_converted(const convert::Converted& converted, const Output& output, const std::string& shown, const std::string& groups,
                     bool quiet) {
  if (output.format == "sag") {
    write_job_set(converted, output.target, quiet);
  } else if (output.format == "callback-isolated") {
    write_isolated(converted, output.target, groups, quiet);
  } else if (output.format == "stm") {
    const std::string graph =
        converted.graph ? static_order::format_graph(*converted.graph) : convert::format_stm(task_set_of(converted, "stm"));
    write(output.target, [&](std::ostream& out) { out << comment(converted, shown, "#") << graph; });
  } else if (output.format == "json") {
    write(output.target, [&](std::ostream& out) { out << io::canonical_json(task_set_of(converted, "json")); });
  } else if (output.format == "dot") {
    write(output.target,
          [&](std::ostream& out) { out << comment(converted, shown, "//") << convert::format_dot(task_set_of(converted, "dot")); });
  } else {
    write_yaml(converted, output.target, shown);
  }
}

ExitStatus run_convert(const po::variables_map& given, const std::vector<std::string>& arguments) {
  if (given["readers"].as<bool>()) {
    if (!arguments.empty()) throw UsageError("--readers looks at no file; it takes no FILE");
    std::cout << convert::reading_tables();
    return ExitStatus::yes;
  }
  if (arguments.empty()) throw UsageError("convert needs FILE");
  std::vector<std::string> paths{"-"};
  if (given.count("output") != 0) paths = given["output"].as<std::vector<std::string>>();
  std::vector<Output> outputs;
  outputs.reserve(paths.size());
  for (const std::string& path : paths) outputs.push_back({target_of(path), format_of(text_of(given, "to"), path)});
  convert::Options chosen = chosen_convert_options(given);
  // It then says which callback groups there are, and the task set what their threads are.
  const auto is_of_threads = [](const Output& output) { return output.format == "callback-isolated"; };
  const std::string groups = chosen.thread_config ? chosen.thread_config->string() : std::string();
  if (std::ranges::any_of(outputs, is_of_threads)) {
    if (groups.empty())
      throw UsageError(
          "--to callback-isolated: which callback groups there are, the file says that the prerun of callback_isolated_executor writes: "
          "give "
          "--thread-config FILE");
    if (!std::ranges::all_of(outputs, is_of_threads)) throw UsageError("--to callback-isolated: is written alone");
    chosen.thread_config.reset();
  }
  if (chosen.alone && given["accept-difference"].as<bool>())
    throw UsageError("--alone and --accept-difference do not go together: a model with times alone is not held against its recording");
  const bool quiet = given["quiet"].as<bool>();
  const std::string& path = arguments.front();
  const std::string name = path == "-" ? "<stdin>" : path;

  convert::Converted converted = [&] {
    ProgressLine line(shows_progress(given), std::chrono::seconds(1));
    const auto show = [&](const std::string& how_far) {
      line.update([&] { return fmt::format("{}: {}, {:.0f} s", name, how_far, line.elapsed()); });
    };
    return convert::convert(path, chosen, show);
  }();
  refuse_options_without_effect(given, converted);
  if (chosen.alone) {
    converted.found.emplace_back("--alone: the model is not held against the recording, in which kernels had other company");
  } else {
    hold_to_recording(converted, given["accept-difference"].as<bool>(), name);
  }
  for (const Output& output : outputs) {
    if (output.format != "yaml") (void)task_set_of(converted, output.format);
  }
  if (!quiet) {
    for (const io::Diagnostic& warning : converted.warnings) std::cerr << "warning: " << warning.text() << '\n';
    for (const std::string& sentence : converted.assumed) std::cerr << "assumed: " << sentence << '\n';
  }
  const std::string shown = path == "-" ? name : fs::path(path).filename().string();
  for (const Output& output : outputs) write_converted(converted, output, shown, groups, quiet);
  return ExitStatus::yes;
}

}  // namespace

const Command& convert_command() {
  static const Command command{
      "convert",
      "FILE",
      "Turn profiles, models, job sets and graphs of other tools into task sets, and back",
      "Reads FILE (- is standard input) and prints it as a task set. Kinds of files are told by their content: "
      "profiles of PyTorch (Kineto) and of "
      "Nsight Systems (SQLite, or the kernels that nsys stats lists), exports of trtexec, what Linux's "
      "scheduler did (trace-cmd report, perf script), traces of ROS 2 (a folder of LTTng, or what babeltrace2 prints of it), models "
      "of Amalthea, job sets of schedule_abstraction, task sets of "
      "DAG-scheduling, Standard Task Graphs, task graphs of TGFF, Graphviz digraphs, lists of OpenVX nodes, graphs of the System Task "
      "Manager (an epoch becomes a DAG), traces of rta "
      "(also those of rta record), "
      "task sets of rta itself (to write them in another format), and configurations of the "
      "cuda_scheduling_examiner, which become experiments.\n\n"
      "What the file does not say is asked for: the message names the option. What is assumed stands in the "
      "written file and on standard error.\n\n"
      "The exit status is 0 when the file was converted, 2 when not.",
      options_of_convert,
      0,
      run_convert,
      1,
      {{"rta convert tasksets/imports/three-kernels.json --processors 4 --period 40ms -o recorded.yaml",
        "a task set from a profile of PyTorch"},
       {"rta convert tasksets/examples/pedestrian.yaml -o pedestrian.dot", "a DAG for Graphviz"}}};
  return command;
}

}  // namespace rta::cli
