#include "examine_here.hpp"

#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

#include "cuda_requirements.hpp"
#include "date.hpp"
#include "examination_program.hpp"
#include "examination_results.hpp"
#include "process/signals.hpp"
#include "progress_line.hpp"
#include "rta/examine/limits_file.hpp"
#include "rta/model/limit.hpp"
#include "working_folder.hpp"

namespace rta::cli {
namespace {

namespace fs = std::filesystem;

// The last line that is not empty: where a program says why it ended.
std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  const auto at = text.rfind('\n');
  return at == std::string::npos ? text : text.substr(at + 1);
}

/// While probes are played and latencies measured.
struct Playing {
  const LocalExamination& wanted;
  const ExaminationProgram& program;
  const process::StopRequest& interrupted;
  const Limit& limit;
  ProgressLine& progress;
  fs::path traces;
  std::vector<std::string> remarks;
};

void play_probes(Playing& playing, examine::Examination& examination) {
  std::string started;
  for (std::size_t p = 0; p < examination.probes() && !playing.limit.reached(); ++p) {
    const std::string& name = examination.judge(p).probe().name;
    for (unsigned round = 0; !examination.judge(p).is_done() && !playing.limit.reached(); ++round) {
      playing.progress.say(fmt::format("probe {} of {}: {}", p + 1, examination.probes(), name));
      const fs::path runs = playing.traces / fmt::format("{}-{}", name, round);
      fs::create_directories(runs);
      const process::ToolOutput played =
          playing.program.run({"--probe", name, "--repeat", fmt::format("{}", probe_batch), "--output", fs::absolute(runs).string()});
      if (playing.interrupted.made()) break;
      if (played.status != 0) {
        playing.remarks.push_back(fmt::format("probe '{}' could not be run: {}", name, last_line(played.text)));
        break;
      }
      hear_traces(examination, p, runs, playing.traces, started);
    }
  }
}

void measure(Playing& playing, examine::Examination& examination) {
  const bool assumptions = playing.wanted.groups.find('S') != std::string::npos;
  if (!assumptions && playing.wanted.groups.find('G') == std::string::npos) return;
  for (const std::string_view measure : validation::measures()) {
    // L and the count of kernels need these latencies whatever rules are asked for; the rest is about assumptions.
    const bool latency = measure == "dispatch_latency" || measure == "kernel_switch";
    if (playing.limit.reached() || (!assumptions && !latency)) continue;
    playing.progress.say(fmt::format("measuring {}", measure));
    const fs::path file = playing.traces / fmt::format("measure-{}.jsonl", measure);
    fs::create_directories(playing.traces);
    const process::ToolOutput measured = playing.program.run(
        {"--measure", std::string(measure), "--repeat", fmt::format("{}", probe_batch), "--output", fs::absolute(file).string()});
    if (measured.status == 0) {
      add_measurements(examination, file);
    } else if (!playing.interrupted.made()) {
      playing.remarks.push_back(fmt::format("{} could not be measured: {}", measure, last_line(measured.text)));
    }
  }
}

/// Each part by a process of its own: what one cannot do loses nothing that others found.
void measure_interference(Playing& playing, examine::CompanyPart& found) {
  const auto& parts = playing.wanted.interference;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (playing.limit.reached()) {
      if (!playing.interrupted.made()) found.not_possible.emplace_back(parts[p], "time was up");
      continue;
    }
    playing.progress.say(fmt::format("interference, part {} of {}: {} (at most a minute)", p + 1, parts.size(), parts[p]));
    const fs::path file = playing.traces / interference_file(parts[p]);
    fs::create_directories(playing.traces);
    std::vector<std::string> words{parts[p], "--output", fs::absolute(file).string()};
    if (playing.wanted.quick) words.emplace_back("--quick");
    const process::ToolOutput measured = playing.program.run_interference(std::move(words));
    if (playing.interrupted.made()) continue;
    if (measured.status == 0) {
      add_interference(found, file);
    } else {
      found.not_possible.emplace_back(parts[p], last_line(measured.text));
    }
  }
}

// The device that the program sees; nothing where it cannot be asked.
std::optional<DeviceLimits> limits_here(const ExaminationProgram& program) {
  const process::ToolOutput told = program.run({"--limits"});
  const auto object = told.text.find('{');
  if (told.status != 0 || object == std::string::npos) {
    std::cerr << told.text << "rta: the GPU could not be asked for its limits\n";
    return std::nullopt;
  }
  return examine::parse_limits(told.text.substr(object), "examine --limits");
}

}  // namespace

ExitStatus examine_here(const LocalExamination& wanted, const report::Format& format) {
  const process::StopRequest interrupted({SIGINT, SIGTERM});
  const Limit limit = Limit(interrupted.token()).within(wanted.time_limit);
  const std::string missing = missing_for_cuda("rta examine --write");
  std::cerr << missing;
  if (!missing.empty()) return ExitStatus::bad_input;
  const WorkingFolder working(wanted.folder);
  const ExaminationProgram program(working.own().below("program"), wanted.gpu, wanted.allow_settings, interrupted);
  ProgressLine progress(wanted.progress);
  progress.say("building the program (up to a minute)");
  if (!program.build({}, validation::Built::removed, !wanted.interference.empty())) return ExitStatus::bad_input;
  const std::optional<DeviceLimits> limits = limits_here(program);
  if (!limits) return ExitStatus::bad_input;
  examine::Examination examination = examination_of(*limits, wanted.groups, wanted.experiments);
  if (!program.build(probe_programs(examination), validation::Built::kept, false)) return ExitStatus::bad_input;

  Playing playing{wanted, program, interrupted, limit, progress, working.path() / "traces", {}};
  fs::remove_all(playing.traces);
  play_probes(playing, examination);
  measure(playing, examination);
  examine::CompanyPart company;
  measure_interference(playing, company);
  if (interrupted.made()) {
    examination.end("the examination was interrupted");
    playing.remarks.emplace_back("interrupted: no profile was written");
  } else if (limit.reached()) {
    examination.end("time was up");
    playing.remarks.push_back("time was up after " + wanted.time_limit_text);
  }
  // An interrupted examination must not take the place of a whole one.
  ExaminationResult result{examination.profile(today()), std::move(playing.remarks), std::nullopt, wanted.quick};
  if (!wanted.interference.empty()) result.company = std::move(company);
  const ExitStatus status = write_results(examination, std::move(result), interrupted.made() ? nullptr : &working.own(), format);
  if (wanted.keep_traces && fs::is_directory(playing.traces))
    working.own().below("traces").write("limits.json", examine::format_limits(*limits));
  if (!wanted.keep_traces) fs::remove_all(playing.traces);
  return interrupted.made() ? ExitStatus::no : status;
}

}  // namespace rta::cli
