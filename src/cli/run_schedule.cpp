#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <optional>

#include "choice.hpp"
#include "environment.hpp"
#include "number.hpp"
#include "process/temporary.hpp"
#include "process/tool.hpp"
#include "progress_line.hpp"
#include "rta/io/time_text.hpp"
#include "rta/static_order/graph.hpp"
#include "rta/validation/static_program.hpp"
#include "schedule_input.hpp"
#include "task_set_input.hpp"
#include "working_folder.hpp"
#include "write_report.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

Time time_of(const po::variables_map& given, const char* option, Time least) {
  const auto& text = given[option].as<std::string>();
  constexpr Time most(1'000'000'000'000'000);
  const auto time = io::parse_time(text);
  if (time && *time >= least && *time <= most) return *time;
  throw UsageError(fmt::format("--{} '{}': must be a time {} 0 and at most 1000000s, e.g. 60s or 500ms", option, text,
                               least > Time() ? "above" : "of at least"));
}

/// `--cpus CPU0=3`, as the master takes it.
std::string processor_of(const std::string& value, const static_order::Schedule& schedule) {
  const std::size_t sign = value.find('=');
  const std::string name = value.substr(0, sign);
  const std::string number = sign == std::string::npos ? "" : value.substr(sign + 1);
  for (const static_order::ScheduledHyperepoch& hyperepoch : schedule.hyperepochs) {
    for (const static_order::ScheduledResource& resource : hyperepoch.resources) {
      const bool cpu = static_order::kind_of_type(resource.type) == static_order::ResourceKind::cpu;
      const bool fits = !number.empty() && number.size() <= 5 && number.find_first_not_of("0123456789") == std::string::npos;
      if (cpu && resource.name == name && fits) return value;
    }
  }
  throw UsageError(fmt::format("--cpus '{}': expected CPU=NUMBER, with a CPU of the schedule and a processor of this machine", value));
}

std::vector<std::string> master_words(const po::variables_map& given, const static_order::Schedule& schedule) {
  constexpr Choice<const char*> policies[] = {{"auto", "fifo"}, {"fifo", "fifo"}, {"other", "other"}};
  constexpr Choice<const char*> overruns[] = {{"skip", "skip"}, {"run-on", "run-on"}};
  std::vector<std::string> words{"--scheduling", chosen("scheduling", given["scheduling"].as<std::string>(), policies),
                                 "--overrun",    chosen("overrun", given["overrun"].as<std::string>(), overruns),
                                 "--duration",   fmt::format("{}ns", time_of(given, "duration", Time(1)).count())};
  if (given.count("frames") != 0)
    words.insert(words.end(), {"--frames", std::to_string(whole_number(given, "frames", 1, 1'000'000'000'000))});
  if (given.count("cpus") != 0) {
    for (const std::string& value : given["cpus"].as<std::vector<std::string>>())
      words.insert(words.end(), {"--core", processor_of(value, schedule)});
  }
  if (given["quiet"].as<bool>()) words.emplace_back("--quiet");
  return words;
}

std::vector<std::string> player_words(const po::variables_map& given) {
  constexpr Choice<const char*> executions[] = {{"worst", "worst"}, {"uniform", "uniform"}};
  std::vector<std::string> words{"--execution", chosen("execution", given["execution"].as<std::string>(), executions)};
  words.insert(words.end(), {"--seed", std::to_string(whole_number(given, "seed", 1, 1'000'000'000'000'000'000))});
  if (given.count("late") != 0) words.insert(words.end(), {"--late", std::to_string(time_of(given, "late", Time()).count() / 1000)});  // us
  return words;
}

bool build(const process::OwnFolder& folder, bool progress) {
  std::optional<ProgressLine> line(std::in_place, progress);
  line->say("building the run time");
  const process::ToolOutput built = process::run_tool({"make", "-f", "Makefile"}, folder.descriptor());
  line.reset();
  if (built.status == 0) return true;
  std::cerr << built.text;
  std::cerr << (!built.started ? "rta: make is missing (Debian: make and gcc)\n" : "rta: the run time could not be built\n");
  return false;
}

/// A folder in which the master and its players meet: two runs of one schedule have two, and nobody can have made it first.
fs::path make_place() {
  constexpr std::size_t longest = 60;  // the path of a socket has at most 107 bytes
  const fs::path folder = fs::temp_directory_path();
  return process::make_folder((folder.string().size() > longest ? fs::path("/tmp") : folder) / "rta-place-");
}

}  // namespace

ExitStatus run_schedule(const po::variables_map& given, const ScheduleInput& input) {
  refuse_options(given, {"warmup", "trace-level", "tasks", "streams", "device", "overhead", "window"}, "a schedule");
  refuse_analysis_options(given, "a schedule");
  std::vector<std::string> outputs;
  if (given.count("output") != 0) outputs = given["output"].as<std::vector<std::string>>();
  const auto all_targets = targets<report::StaticComparisonReport>(text_of(given, "format"), outputs);
  require_converters(all_targets, drawn_as<report::StaticComparisonReport>());
  const std::vector<std::string> of_master = master_words(given, input.schedule);
  const std::vector<std::string> of_player = player_words(given);
  const auto files = validation::static_program(input.schedule, input.text, input.name);
  const WorkingFolder folder(text_of(given, "keep"));
  validation::write_files(files, folder.path());
  if (!build(folder.own(), shows_progress(given))) return ExitStatus::bad_input;

  const char* const trace = "trace.jsonl";
  folder.own().remove(trace);
  std::vector<std::string> words{"./master", "plan", "--output", trace};
  words.insert(words.end(), of_master.begin(), of_master.end());
  words.insert(words.end(), {"--", "./player"});
  words.insert(words.end(), of_player.begin(), of_player.end());
  words.insert(words.end(), {"--", "{}"});
  const process::Temporary place(make_place);
  const Environment environment({{"XDG_RUNTIME_DIR", place.path().string()}});
  const int status = process::run_attached(words, folder.own().descriptor());  // after an interrupt, what was recorded is still compared
  if (status != 0 && status != 1) {
    std::cerr << "rta: the schedule could not be played\n";
    return ExitStatus::bad_input;
  }
  return report_static_comparison(input, {(folder.path() / trace).string()}, all_targets, given["verbose"].as<bool>(),
                                  given["quiet"].as<bool>());
}

}  // namespace rta::cli
