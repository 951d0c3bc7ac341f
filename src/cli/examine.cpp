#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <chrono>
#include <filesystem>
#include <optional>
#include <sstream>

#include "command.hpp"
#include "date.hpp"
#include "evidence.hpp"
#include "examination_program.hpp"
#include "examination_results.hpp"
#include "examine_here.hpp"
#include "number.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "rta/examine/company.hpp"
#include "rta/examine/limits_file.hpp"
#include "rta/io/time_text.hpp"
#include "task_set_input.hpp"
#include "working_folder.hpp"
#include "write_report.hpp"

namespace rta::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

po::options_description options_of_examine() {
  po::options_description all;
  all.add_options()(
      "output,o", po::value<std::string>()->value_name("DIR"),
      "folder for the device profile (DEVICE.yaml), report.txt, report.json, report.html and the evidence; made if it is not there");
  all.add_options()(
      "rules", po::value<std::string>()->value_name("GROUPS")->default_value("G,X,R,C,N,A,S"),
      "which rules: G (streams and the EE queue), X (its head), R (resources of SMs), C (copies), N (NULL stream), A (priorities), "
      "S (assumptions: preemption, placement, resident grids, connections, processes, synchronisation); or none");
  all.add_options()(
      "interference", po::value<std::string>()->implicit_value("all")->value_name("[=PARTS]"),
      "also measure how much longer blocks take beside others: all parts, or some of whole, halves, parts, same-sm, copies, cpus "
      "and partitions (registers: what of the first three has blocks of registers as company); each takes a minute at most");
  all.add_options()("quick", po::bool_switch(),
                    "with --interference: few repetitions, to see that it runs: nothing of it goes into the profile");
  all.add_options()(
      "experiment", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
      "also play this experiment (kernels and copies on streams, and calls, as `rta simulate` reads them), scaled to the device, and say "
      "whether its operations start and end in the simulated order; may be repeated");
  all.add_options()("time-limit", po::value<std::string>()->value_name("TIME")->default_value("5m"),
                    "end after that time (e.g. 90s or 5m; with --interference 15m) with what is known then");
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
  if (text == "none") return {};
  constexpr std::string_view known = "GXRCNAS";
  std::string groups;
  std::istringstream parts(text + ",");
  for (std::string part; std::getline(parts, part, ',');) {
    if (part.size() != 1 || known.find(part) == std::string_view::npos) {
      throw UsageError(fmt::format("--rules '{}': no group '{}' (allowed: G,X,R,C,N,A,S; or none)", text, part));
    }
    groups += part;
  }
  return groups;
}

/// Parts in the order in which they are measured; none without the option.
std::vector<std::string> interference_of(const po::variables_map& given) {
  const auto text = text_of(given, "interference");
  if (!text) return {};
  const auto known = examine::company_parts();
  std::vector<std::string> all(known.begin(), known.end());
  if (*text == "all") return all;
  all.insert(all.begin() + 3, std::string(examine::registers_part));
  std::vector<std::string> wanted;
  std::istringstream parts(*text + ",");
  for (std::string part; std::getline(parts, part, ',');) {
    if (std::ranges::find(all, part) == all.end())
      throw UsageError(fmt::format("--interference '{}': no part '{}' (allowed: {}; or all)", *text, part, fmt::join(all, ", ")));
    wanted.push_back(part);
  }
  std::erase_if(all, [&](const std::string& part) { return std::ranges::find(wanted, part) == wanted.end(); });
  return all;
}

std::chrono::nanoseconds time_limit_of(const std::string& text) {
  const auto time = io::parse_time(text);
  if (!time || *time == Time::zero()) throw UsageError("--time-limit '" + text + "': expected a time, e.g. 90s or 5m");
  return std::chrono::nanoseconds(time->count());
}

std::vector<std::string> experiments_of(const po::variables_map& given) {
  return given.count("experiment") == 0 ? std::vector<std::string>() : given["experiment"].as<std::vector<std::string>>();
}

ExitStatus judge_traces(const po::variables_map& given, const fs::path& folder, const std::string& groups,
                        const std::optional<std::string>& output, const report::Format& format) {
  std::optional<WorkingFolder> own;
  if (output) own.emplace(output);
  const fs::path limits_file = folder / "limits.json";
  // Interference alone is judged without: only profiles have limits.
  const bool known = output || !groups.empty() || fs::exists(limits_file);
  const DeviceLimits limits = known ? examine::parse_limits(content_of(limits_file), limits_file.string()) : DeviceLimits{};
  if (known) note_file(limits_file);
  // Probes that were written ahead are scaled to what was known of the device then.
  const fs::path scale_file = folder / "scale.json";
  const DeviceLimits scale = fs::exists(scale_file) ? examine::parse_limits(content_of(scale_file), scale_file.string()) : limits;
  examine::Examination examination = examination_of(scale, groups, experiments_of(given));
  std::string started;
  for (std::size_t p = 0; p < examination.probes(); ++p) hear_traces(examination, p, folder, folder, started);
  for (const std::string_view measure : validation::measures()) {
    const fs::path file = folder / fmt::format("measure-{}.jsonl", measure);
    if (fs::exists(file)) add_measurements(examination, file);
  }
  ExaminationResult result{examination.profile(started.empty() ? today() : started.substr(0, 10)), {}, std::nullopt};
  examine::CompanyPart company;
  auto parts = std::vector<std::string_view>(examine::company_parts().begin(), examine::company_parts().end());
  parts.push_back(examine::registers_part);
  for (const std::string_view part : parts) {
    if (const fs::path file = folder / interference_file(part); fs::exists(file)) add_interference(company, file);
  }
  if (!company.cases.empty() || !company.not_possible.empty()) result.company = std::move(company);
  result.profile.limits = limits;
  result.profile.device = examine::built_in_name(limits);
  return write_results(examination, std::move(result), own ? &own->own() : nullptr, format);
}

// Options that exclude each other.
void check_options(const po::variables_map& given) {
  const bool traces = given.count("traces") != 0;
  const bool written = given.count("write") != 0;
  if (traces && written) throw UsageError("--traces and --write exclude each other");
  if (!written && (given.count("device") != 0 || given.count("limits") != 0)) throw UsageError("--device and --limits go with --write");
  if (given["quick"].as<bool>() && given.count("interference") == 0) throw UsageError("--quick goes with --interference");
  if (traces && given.count("interference") != 0) throw UsageError("--traces judges what the folder has; it takes no --interference");
  if (!traces && given["rules"].as<std::string>() == "none" && given.count("interference") + given.count("experiment") == 0) {
    throw UsageError("--rules none examines nothing: give --interference, too");
  }
  if (traces || written) {
    const char* const instead = traces ? "--traces" : "--write";
    for (const char* option : {"time-limit", "gpu"}) {
      if (!given[option].defaulted()) throw UsageError(fmt::format("{} runs nothing here; it takes no --{}", instead, option));
    }
    for (const char* option : {"allow-settings", "keep", "quick"}) {
      if (given[option].as<bool>()) throw UsageError(fmt::format("{} runs nothing here; it takes no --{}", instead, option));
    }
    if (written && given.count("output") != 0) throw UsageError("--write judges nothing; it takes no --output");
    if (written && given.count("format") != 0) throw UsageError("--write judges nothing; it takes no --format");
  }
}

// What --device or --limits says of the target.
DeviceLimits limits_of_target(const po::variables_map& given) {
  const auto device = text_of(given, "device");
  const auto limits = text_of(given, "limits");
  if (device.has_value() == limits.has_value()) throw UsageError("--write needs --device NAME or --limits FILE");
  if (limits) return examine::parse_limits(content_of(*limits), *limits);
  const Device* const known = find_device(*device);
  if (known == nullptr) {
    std::string names;
    for (const Device& one : devices()) names += (names.empty() ? "" : ", ") + std::string(one.name);
    throw UsageError("--device '" + *device + "': no built-in device (allowed: " + names + ")");
  }
  return limits_of(*known);
}

ExitStatus run_examine(const po::variables_map& given, const std::vector<std::string>& /*arguments*/) {
  const std::string groups = groups_of(given["rules"].as<std::string>());
  const report::Format& format = *targets<report::ExaminationReport>(text_of(given, "format"), {}).front().format;
  const auto output = text_of(given, "output");
  const auto traces = text_of(given, "traces");
  const auto written = text_of(given, "write");
  check_options(given);
  const std::vector<std::string> interference = interference_of(given);
  if (traces) return judge_traces(given, *traces, groups, output, format);
  if (written) {
    const auto examination = examination_of(limits_of_target(given), groups, experiments_of(given));
    const WorkingFolder own(written);
    write_examination(examination, groups.find('S') != std::string::npos, interference, own.path());
    return ExitStatus::yes;
  }
  if (!output) throw UsageError("examine needs --output DIR");
  const bool longer = given["time-limit"].defaulted() && !interference.empty();
  const std::string time_limit = longer ? "15m" : given["time-limit"].as<std::string>();
  return examine_here({.folder = *output,
                       .groups = groups,
                       .experiments = experiments_of(given),
                       .interference = interference,
                       .quick = given["quick"].as<bool>(),
                       .time_limit = time_limit_of(time_limit),
                       .time_limit_text = time_limit,
                       .gpu = static_cast<unsigned>(whole_number(given, "gpu", 0, 999)),
                       .allow_settings = given["allow-settings"].as<bool>(),
                       .keep_traces = given["keep"].as<bool>(),
                       .progress = shows_progress(given)},
                      format);
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
      "processes and the synchronisation of calls are measured, too; with --interference also how much longer blocks take beside others, "
      "which bounds then add to durations that were measured alone. Everything goes to the folder DIR; the profile is for `rta analyze "
      "--profile`.\n\n"
      "Needs a GPU and the CUDA Toolkit. For a target without rta, --write writes the program there, and --traces judges what it recorded. "
      "Nothing of the GPU or the machine is changed unless --allow-settings is given.\n\n"
      "The exit status is 0 when some rule was confirmed and none refuted (and what company does is known, where that was asked for), 1 "
      "when not or when it was interrupted, 2 when it could not be "
      "run or for bad input or usage.",
      options_of_examine,
      0,
      run_examine,
      0,
      {{"rta examine -o examined", "on a machine with a GPU: its rules, and a profile of it for rta analyze --profile"},
       {"rta examine -o examined --interference", "also what kernels do to one another"},
       {"rta examine --write probes --device orin", "the program, for a target where rta is not installed"}}};
  return command;
}

}  // namespace rta::cli
