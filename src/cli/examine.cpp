#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <cctype>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <system_error>

#include "command.hpp"
#include "cuda_requirements.hpp"
#include "date.hpp"
#include "evidence.hpp"
#include "number.hpp"
#include "output.hpp"
#include "process/signals.hpp"
#include "process/tool.hpp"
#include "progress_line.hpp"
#include "rta/examine/examination.hpp"
#include "rta/examine/limits_file.hpp"
#include "rta/examine/reproduction.hpp"
#include "rta/io/experiment_file.hpp"
#include "rta/io/new_file.hpp"
#include "rta/io/profile_file.hpp"
#include "rta/io/time_text.hpp"
#include "rta/model/limit.hpp"
#include "rta/report/examination_report.hpp"
#include "rta/validation/examination.hpp"
#include "rta/validation/machine.hpp"
#include "task_set_input.hpp"
#include "trace_input.hpp"
#include "write_report.hpp"

namespace rta::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

/// Runs of a probe or a measurement at a time: a few more than a sequential test needs.
constexpr unsigned batch = 40;

po::options_description options() {
  po::options_description all;
  all.add_options()(
      "output,o", po::value<std::string>()->value_name("DIR"),
      "folder for the device profile (DEVICE.yaml), report.txt, report.json, report.html and the evidence; made if it is not there");
  all.add_options()(
      "rules", po::value<std::string>()->value_name("GROUPS")->default_value("G,X,R,C,N,A,S"),
      "which rules: G (streams and the EE queue), X (its head), R (resources of SMs), C (copies), N (NULL stream), A (priorities), "
      "S (assumptions: preemption, placement, resident grids, connections, processes, synchronisation)");
  all.add_options()(
      "experiment", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
      "also play this experiment (kernels and copies on streams, as `rta simulate` reads them), scaled to the device, and say "
      "whether its operations start and end in the simulated order; may be repeated");
  all.add_options()("time-limit", po::value<std::string>()->value_name("TIME")->default_value("5m"),
                    "end after that time (e.g. 90s or 5m) with what is known then");
  all.add_options()("gpu", po::value<std::string>()->value_name("NUMBER")->default_value("0"), "CUDA device");
  all.add_options()("allow-settings", po::bool_switch(),
                    "may fix the GPU's clocks, and start an MPS server of its own, while it runs; both are undone at the end");
  all.add_options()("keep", po::bool_switch(), "keep all traces in DIR/traces");
  all.add_options()("traces", po::value<std::string>()->value_name("DIR"),
                    "run nothing: judge the traces in that folder, which the program of --write made on the target");
  all.add_options()("write", po::value<std::string>()->value_name("DIR"),
                    "run nothing: write the program and the probes to that folder, for a target where rta is not installed");
  all.add_options()("device", po::value<std::string>()->value_name("NAME"), "with --write: built-in device that the probes are scaled to");
  all.add_options()("limits", po::value<std::string>()->value_name("FILE"),
                    "with --write: what `examine --limits` printed on the target, in place of --device");
  all.add_options()("format", po::value<std::string>()->value_name("NAME"), "on standard output: text (default), json or html");
  add_evidence_option(all);
  all.add_options()("quiet,q", po::bool_switch(), "no progress");
  return all;
}

std::string groups_of(const std::string& text) {
  constexpr std::string_view known = "GXRCNAS";
  std::string groups;
  std::istringstream parts(text + ",");
  for (std::string part; std::getline(parts, part, ',');) {
    if (part.size() != 1 || known.find(part) == std::string_view::npos) {
      throw UsageError(fmt::format("--rules '{}': no group '{}' (allowed: G,X,R,C,N,A,S)", text, part));
    }
    groups += part;
  }
  return groups;
}

std::chrono::nanoseconds time_limit_of(const std::string& text) {
  const auto time = io::parse_time(text);
  if (!time || *time == Time::zero()) throw UsageError("--time-limit '" + text + "': expected a time, e.g. 90s or 5m");
  return std::chrono::nanoseconds(time->count());
}

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw io::InputError({{path.string(), 0, 0, "cannot be opened"}});
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<validation::ProbeProgram> programs(const examine::Examination& examination) {
  std::vector<validation::ProbeProgram> all;
  for (std::size_t p = 0; p < examination.probes(); ++p) {
    const examine::Probe& probe = examination.judge(p).probe();
    const bool non_blocking =
        std::ranges::any_of(probe.experiment.operations(), [](const Operation& o) { return o.stream.starts_with(non_blocking_prefix); });
    all.push_back({probe.name, probe.experiment, validation::ProcessLayout::threads,
                   non_blocking ? validation::StreamKind::non_blocking : validation::StreamKind::blocking});
  }
  return all;
}

// Hears the traces `NAME-*.jsonl` of a probe in the folder, which is in `root`, in the order of their names; `started` becomes the first
// one's date.
void hear_traces(examine::Examination& examination, std::size_t probe, const fs::path& folder, const fs::path& root, std::string& started) {
  const examine::Probe& description = examination.judge(probe).probe();
  const std::string prefix = description.name + "-";
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool numbered = name.starts_with(prefix) && name.ends_with(".jsonl") && name.size() > prefix.size() + 6 &&
                          name.find_first_not_of("0123456789", prefix.size()) == name.size() - 6;
    if (numbered) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    TraceInput in(file.string());
    const examine::ReadRun read = examine::read_run(description.experiment, in.stream(), file.string());
    note_input_in(root, file.lexically_relative(root).string(), in.sha256());
    if (started.empty() && read.header.started) started = *read.header.started;
    (void)examination.hear(probe, read.run);
  }
}

void add_measurements(examine::Examination& examination, const fs::path& file) {
  TraceInput in(file.string());
  examination.add(examine::read_measurements(in.stream(), file.string()));
  note_input_in(file.parent_path(), file.filename().string(), in.sha256());
}

// `h200`; of a device that is not in the table, its product in small letters: `nvidia-geforce-gtx-1080`.
std::string profile_name(const DeviceProfile& profile) {
  if (!profile.device.empty()) return profile.device;
  std::string name;
  for (const char c : profile.limits.product) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      name += static_cast<char>(std::tolower(byte));
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  if (name.ends_with('-')) name.pop_back();
  return name.empty() ? "device" : name;
}

// The experiments of --experiment as probes for a device with these limits, named as their files.
std::vector<examine::Probe> reproductions(const po::variables_map& given, const DeviceLimits& limits) {
  std::vector<examine::Probe> probes;
  if (given.count("experiment") == 0) return probes;
  for (const std::string& file : given["experiment"].as<std::vector<std::string>>()) {
    const auto read = io::parse_experiment(content_of(file), file);
    probes.push_back(examine::reproduction(fs::path(file).stem().string(), read.experiment, limits));
  }
  return probes;
}

struct Result {
  DeviceProfile profile;
  std::vector<std::string> remarks;
};

/// Writes profile, reports and evidence below `output`, if there is one, and the report to standard output.
ExitStatus finish(const examine::Examination& examination, Result result, const std::optional<std::string>& output,
                  const report::Format& format) {
  report::ExaminationReport report{examination, std::move(result.profile), {}, std::move(result.remarks), {}};
  for (std::size_t p = 0; p < examination.probes(); ++p) {
    report.simulated.push_back(examine::simulated_run(examination.judge(p).probe().experiment));
  }
  if (output) {
    const fs::path folder(*output);
    fs::create_directories(folder);
    for (RuleVerdict& verdict : report.profile.rules) {
      if (verdict.evidence.empty()) continue;
      const fs::path evidence = fs::path("evidence") / (std::string(to_string(verdict.rule)) + ".jsonl");
      fs::create_directories(folder / "evidence");
      io::write_file(folder / evidence, content_of(verdict.evidence));
      verdict.evidence = evidence.string();
    }
    io::write_file(folder / (profile_name(report.profile) + ".yaml"), io::format_profile(report.profile));
    for (const report::Format& each : report::formats()) {
      if (each.examination == nullptr) continue;
      write_report({folder / fmt::format("report.{}", each.extension), &each}, &report::Format::examination, report);
    }
  }
  write_report({std::nullopt, &format}, &report::Format::examination, report);
  const auto has = [&](RuleState state) {
    return std::ranges::find(report.profile.rules, state, &RuleVerdict::state) != report.profile.rules.end();
  };
  return has(RuleState::confirmed) && !has(RuleState::refuted) ? ExitStatus::yes : ExitStatus::no;
}

ExitStatus judge_traces(const po::variables_map& given, const fs::path& folder, const std::string& groups,
                        const std::optional<std::string>& output, const report::Format& format) {
  const fs::path limits_file = folder / "limits.json";
  const DeviceLimits limits = examine::parse_limits(content_of(limits_file), limits_file.string());
  note_file(limits_file);
  // Probes that were written ahead are scaled to what was known of the device then.
  const fs::path scale_file = folder / "scale.json";
  const DeviceLimits scale = fs::exists(scale_file) ? examine::parse_limits(content_of(scale_file), scale_file.string()) : limits;
  examine::Examination examination(scale, groups, reproductions(given, scale));
  std::string started;
  for (std::size_t p = 0; p < examination.probes(); ++p) hear_traces(examination, p, folder, folder, started);
  for (const std::string_view measure : validation::measures()) {
    const fs::path file = folder / fmt::format("measure-{}.jsonl", measure);
    if (fs::exists(file)) add_measurements(examination, file);
  }
  Result result{examination.profile(started.empty() ? today() : started.substr(0, 10)), {}};
  result.profile.limits = limits;
  result.profile.device = examine::built_in_name(limits);
  return finish(examination, std::move(result), output, format);
}

ExitStatus write_program(const po::variables_map& given, const fs::path& folder, const DeviceLimits& limits, const std::string& groups) {
  const examine::Examination examination(limits, groups, reproductions(given, limits));
  const auto probes = programs(examination);
  std::vector<validation::GeneratedFile> files = validation::examination_source(probes);
  std::string names, measures;
  for (const validation::ProbeProgram& probe : probes) {
    files.push_back({"experiments/" + probe.name + ".yaml", io::format_experiment(probe.experiment)});
    names += " " + probe.name;
  }
  for (const std::string_view measure : validation::measures()) measures += " " + std::string(measure);
  if (groups.find('S') == std::string::npos) measures.clear();
  files.push_back({"scale.json", examine::format_limits(limits)});
  files.push_back({"examine-all.sh", fmt::format(R"sh(#!/bin/sh
# Builds the program and runs all probes and measurements. Options go to `examine` (e.g. --device 1). Then, anywhere:
#   rta examine --traces traces -o DIR
set -e
cd "$(dirname "$0")"
make
mkdir -p traces
cp scale.json traces/
./examine --limits "$@" > traces/limits.json
for probe in{}; do
  ./examine --probe "$probe" --repeat {} --output traces "$@"
done
for measure in{}; do
  ./examine --measure "$measure" --repeat {} --output "traces/measure-$measure.jsonl" "$@" || echo "$measure could not be measured" >&2
done
)sh",
                                                 names, batch, measures, batch)});
  validation::write_files(files, folder);
  return ExitStatus::yes;
}

/// The program `examine` on this machine.
class Program {
 public:
  /// `stop`: nothing is said of a build that ends by it.
  Program(fs::path folder, unsigned gpu, bool allow_settings, const process::StopRequest& stop)
      : folder_(std::move(folder)), gpu_(gpu), allow_settings_(allow_settings), stop_(stop) {}

  /// False where it could not be built; standard error says why.
  [[nodiscard]] bool build(std::span<const validation::ProbeProgram> probes) const {
    validation::write_files(validation::examination_source(probes), folder_);
    const auto built = process::run_tool({"make", "-C", folder_.string(), "NVCC=" + validation::find_nvcc()});
    if (built.status == 0) return true;
    if (!stop_.made()) {
      std::cerr << built.text
                << (built.status < 0 ? "rta: make is missing (Debian: make and g++)\n" : "rta: the examination could not be built\n");
    }
    return false;
  }

  [[nodiscard]] process::ToolOutput run(std::vector<std::string> words) const {
    words.insert(words.begin(), fs::absolute(folder_ / "examine").string());
    words.insert(words.end(), {"--device", fmt::format("{}", gpu_)});
    if (allow_settings_) words.emplace_back("--allow-settings");
    return process::run_tool(words);
  }

 private:
  fs::path folder_;
  unsigned gpu_;
  bool allow_settings_;
  const process::StopRequest& stop_;
};

// The last line that is not empty: where a program says why it ended.
std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  const auto at = text.rfind('\n');
  return at == std::string::npos ? text : text.substr(at + 1);
}

ExitStatus examine_here(const po::variables_map& given, const std::string& groups, const std::string& output,
                        const report::Format& format) {
  const process::StopRequest interrupted({SIGINT, SIGTERM});
  const Limit limit = Limit(interrupted.token()).within(time_limit_of(given["time-limit"].as<std::string>()));
  const auto gpu = static_cast<unsigned>(whole_number(given, "gpu", 0, 999));
  const std::string missing = missing_for_cuda("rta examine --write");
  std::cerr << missing;
  if (!missing.empty()) return ExitStatus::bad_input;
  const fs::path folder(output);
  fs::create_directories(folder);
  const Program program(folder / "program", gpu, given["allow-settings"].as<bool>(), interrupted);
  ProgressLine progress(shows_progress(given));
  progress.say("building the program (a minute at the first time)");
  if (!program.build({})) return ExitStatus::bad_input;
  const process::ToolOutput told = program.run({"--limits"});
  const auto object = told.text.find('{');
  if (told.status != 0 || object == std::string::npos) {
    std::cerr << told.text << "rta: the GPU could not be asked for its limits\n";
    return ExitStatus::bad_input;
  }
  const DeviceLimits limits = examine::parse_limits(told.text.substr(object), "examine --limits");
  examine::Examination examination(limits, groups, reproductions(given, limits));
  if (!program.build(programs(examination))) return ExitStatus::bad_input;

  const fs::path traces = folder / "traces";
  fs::remove_all(traces);
  std::vector<std::string> remarks;
  std::string started;
  for (std::size_t p = 0; p < examination.probes() && !limit.reached(); ++p) {
    const std::string& name = examination.judge(p).probe().name;
    for (unsigned round = 0; !examination.judge(p).is_done() && !limit.reached(); ++round) {
      progress.say(fmt::format("probe {} of {}: {}", p + 1, examination.probes(), name));
      const fs::path runs = traces / fmt::format("{}-{}", name, round);
      fs::create_directories(runs);
      const process::ToolOutput played = program.run({"--probe", name, "--repeat", fmt::format("{}", batch), "--output", runs.string()});
      if (interrupted.made()) break;
      if (played.status != 0) {
        remarks.push_back(fmt::format("probe '{}' could not be run: {}", name, last_line(played.text)));
        break;
      }
      hear_traces(examination, p, runs, traces, started);
    }
  }
  if (groups.find('S') != std::string::npos || groups.find('G') != std::string::npos) {
    for (const std::string_view measure : validation::measures()) {
      // L and the count of kernels need these latencies whatever rules are asked for; the rest is about assumptions.
      const bool latency = measure == "dispatch_latency" || measure == "kernel_switch";
      if (limit.reached() || (groups.find('S') == std::string::npos && !latency)) continue;
      progress.say(fmt::format("measuring {}", measure));
      const fs::path file = traces / fmt::format("measure-{}.jsonl", measure);
      fs::create_directories(traces);
      const process::ToolOutput measured =
          program.run({"--measure", std::string(measure), "--repeat", fmt::format("{}", batch), "--output", file.string()});
      if (measured.status == 0) {
        add_measurements(examination, file);
      } else if (!interrupted.made()) {
        remarks.push_back(fmt::format("{} could not be measured: {}", measure, last_line(measured.text)));
      }
    }
  }
  if (interrupted.made()) {
    examination.end("the examination was interrupted");
    remarks.emplace_back("interrupted: no profile was written");
  } else if (limit.reached()) {
    examination.end("time was up");
    remarks.push_back("time was up after " + given["time-limit"].as<std::string>());
  }
  // An interrupted examination must not take the place of a whole one.
  const ExitStatus status = finish(examination, {examination.profile(today()), std::move(remarks)},
                                   interrupted.made() ? std::nullopt : std::optional(output), format);
  if (!given["keep"].as<bool>()) fs::remove_all(traces);
  return interrupted.made() ? ExitStatus::no : status;
}

ExitStatus run(const po::variables_map& given, const std::vector<std::string>& /*arguments*/) {
  const std::string groups = groups_of(given["rules"].as<std::string>());
  const report::Format& format = *targets(text_of(given, "format"), {}, &report::Format::examination).front().format;
  const auto output = text_of(given, "output");
  const auto traces = text_of(given, "traces");
  const auto written = text_of(given, "write");
  const auto device = text_of(given, "device");
  const auto limits = text_of(given, "limits");
  if (traces && written) throw UsageError("--traces and --write exclude each other");
  if (!written && (device || limits)) throw UsageError("--device and --limits go with --write");
  if (traces || written) {
    const char* const instead = traces ? "--traces" : "--write";
    for (const char* option : {"time-limit", "gpu"}) {
      if (!given[option].defaulted()) throw UsageError(fmt::format("{} runs nothing here; it takes no --{}", instead, option));
    }
    for (const char* option : {"allow-settings", "keep"}) {
      if (given[option].as<bool>()) throw UsageError(fmt::format("{} runs nothing here; it takes no --{}", instead, option));
    }
    if (written && output) throw UsageError("--write judges nothing; it takes no --output");
    if (written && given.count("format") != 0) throw UsageError("--write judges nothing; it takes no --format");
  }
  if (traces) return judge_traces(given, *traces, groups, output, format);
  if (written) {
    if (device.has_value() == limits.has_value()) throw UsageError("--write needs --device NAME or --limits FILE");
    if (limits) return write_program(given, *written, examine::parse_limits(content_of(*limits), *limits), groups);
    const Device* const known = find_device(*device);
    if (known == nullptr) {
      std::string names;
      for (const Device& one : devices()) names += (names.empty() ? "" : ", ") + std::string(one.name);
      throw UsageError("--device '" + *device + "': no built-in device (allowed: " + names + ")");
    }
    return write_program(given, *written, limits_of(*known), groups);
  }
  if (!output) throw UsageError("examine needs --output DIR");
  return examine_here(given, groups, *output, format);
}

}  // namespace

const Command& examine_command() {
  static const Command command{
      "examine",
      "",
      "Test whether this GPU follows the scheduling rules that bounds rest on",
      "Runs short probes on the GPU, each for some scheduling rule: what the rule predicts is stated before it runs, compared with where "
      "and "
      "when each block ran, and repeated until a sequential test is sure. A rule is confirmed, refuted (with the smallest trace that shows "
      "it) or could not be tested (with the reason). Disturbed runs are repeated. Latencies, resident grids, connections, time slices of "
      "processes and the synchronisation of calls are measured, too. Everything goes to the folder DIR; the profile is for `rta analyze "
      "--profile`.\n\n"
      "Needs a GPU and the CUDA Toolkit. For a target without rta, --write writes the program there, and --traces judges what it recorded. "
      "Nothing of the GPU or the machine is changed unless --allow-settings is given.\n\n"
      "The exit status is 0 when some rule was confirmed and none refuted, 1 when not or when it was interrupted, 2 when it could not be "
      "run or for bad input or usage.",
      options,
      0,
      run};
  return command;
}

}  // namespace rta::cli
