#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/program_options/value_semantic.hpp>
#include <iostream>
#include <optional>

#include "analysis_options.hpp"
#include "choice.hpp"
#include "command.hpp"
#include "compare_traces.hpp"
#include "cuda_requirements.hpp"
#include "evidence.hpp"
#include "on_device.hpp"
#include "output.hpp"
#include "played.hpp"
#include "process/tool.hpp"
#include "progress_line.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/io/time_text.hpp"
#include "rta/model/time_slices.hpp"
#include "rta/static_order/schedule_file.hpp"
#include "rta/validation/machine.hpp"
#include "rta/validation/workload.hpp"
#include "schedule_input.hpp"
#include "task_set_input.hpp"
#include "time_style.hpp"
#include "working_folder.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

/// Options that the workload takes as they are.
constexpr std::array passed_on{"trace-level", "scheduling", "tasks", "streams"};
/// What a pool may be for an option that names one.
enum class Named { cpu, other, any };

po::options_description options_of_run() {
  po::options_description all;
  all.add_options()("duration", po::value<std::string>()->value_name("TIME")->default_value("60s"), "measured time, e.g. 60s or 500ms");
  all.add_options()("warmup", po::value<std::string>()->value_name("TIME")->default_value("1s"), "time before that, run but not recorded");
  all.add_options()("trace-level", po::value<std::string>()->value_name("LEVEL")->default_value("block"),
                    "dag, job or block (blocks, copies and CPU runs too, which rta calibrate needs)");
  all.add_options()("scheduling", po::value<std::string>()->value_name("POLICY")->default_value("auto"),
                    "auto (the best that the kernel grants), deadline, fifo or other");
  all.add_options()("tasks", po::value<std::string>()->value_name("HOW")->default_value("threads"),
                    "threads or processes (one per DAG; on a GPU that processes share those of the file)");
  all.add_options()("streams", po::value<std::string>()->value_name("HOW")->default_value("per-job"), "per-job or per-task");
  all.add_options()(
      "cpus", po::value<std::vector<std::string>>()->composing()->value_name("POOL=LIST"),
      "processors of a CPU pool, e.g. cpu=0-3,8 (default: the next free ones, beside a GPU processor 0 last), or of a schedule's CPU, e.g. "
      "CPU0=3; may be repeated");
  all.add_options()("device", po::value<std::vector<std::string>>()->composing()->value_name("POOL=NUMBER"),
                    "CUDA device of a GPU, copy or worker pool (default 0; not one for two GPU pools, nor for a GPU pool and a worker "
                    "pool); may be repeated");
  all.add_options()("overhead", po::value<std::vector<std::string>>()->composing()->value_name("POOL=TIME"),
                    "nodes of that pool are played so much shorter: their C and L include what this machine takes to start them and to "
                    "notice their end (validation/gpu-check measures it), e.g. gpu=100us; may be repeated");
  add_analysis_options(all);
  add_profile_option(all, Player::machine);
  all.add_options()("frames", po::value<std::string>()->value_name("N"), "schedules: end after N frames of each hyperepoch");
  all.add_options()("overrun", po::value<std::string>()->value_name("HOW")->default_value("skip"),
                    "schedules: after a frame that ended late the next one begins at a multiple of the period (skip) or at once (run-on)");
  all.add_options()("execution", po::value<std::string>()->value_name("HOW")->default_value("worst"),
                    "schedules: runnables take their WCETs (worst) or random times up to them (uniform)");
  all.add_options()("seed", po::value<std::string>()->value_name("N")->default_value("1"), "schedules: seed of those times");
  all.add_options()("late", po::value<std::string>()->value_name("TIME"),
                    "schedules: each wake-up is late by a random time up to TIME, e.g. 50us");
  all.add_options()(
      "keep", po::value<std::string>()->value_name("DIR"),
      "keep the program and its trace (trace.jsonl) in that folder, a new or empty one or that of an earlier run; else both are removed");
  add_window_option(all);
  all.add_options()("verbose,v", po::bool_switch(), "show every node and every self-check of the run");
  all.add_options()("format", po::value<std::string>()->value_name("NAME"), "text (default), json, csv, html, svg, pdf or png");
  all.add_options()(
      "output,o", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
      "write the comparison to FILE instead of standard output; the extension (.txt, .json, .csv, .html; .svg, .pdf or .png: the "
      "timeline alone) tells the format; may be repeated");
  add_digits_option(all);
  add_evidence_option(all);
  all.add_options()("quiet,q", po::bool_switch(), "no warnings, no progress");
  return all;
}

/// The values of an option that names a pool.
std::vector<std::string> values_by_pool(const po::variables_map& given, const std::string& option, Named named, const TaskSet& task_set) {
  if (given.count(option) == 0) return {};
  auto values = given[option].as<std::vector<std::string>>();
  for (const std::string& value : values) {
    const std::string name = value.substr(0, value.find('='));
    const bool known = std::ranges::any_of(task_set.pools(), [&](const Pool& pool) {
      return name_in_file(pool) == name && (named == Named::any || (pool.kind() == PoolKind::cpu) == (named == Named::cpu));
    });
    if (!known || name == value) {
      throw UsageError(fmt::format("--{} '{}': expected POOL=..., with a {} of the task set", option, value,
                                   named == Named::any   ? "pool"
                                   : named == Named::cpu ? "CPU pool"
                                                         : "GPU, copy or worker pool"));
    }
  }
  return values;
}

/// `POOL=TIME` as the workload reads it. Throws `UsageError`.
std::vector<std::string> checked_overheads(const po::variables_map& given, const TaskSet& task_set) {
  auto values = values_by_pool(given, "overhead", Named::any, task_set);
  for (std::string& value : values) {
    const std::size_t equals = value.find('=');
    const auto time = io::parse_time(value.substr(equals + 1));
    if (!time || *time < Time::zero())
      throw UsageError(fmt::format("--overhead '{}': expected POOL=TIME with a time of at least 0, e.g. gpu=100us", value));
    for (const Dag& dag : task_set.dags()) {
      for (const Node& node : dag.nodes()) {
        if (*time == Time::zero() || *time < longest_piece(node)) continue;
        if (name_in_file(task_set.pools()[node.pool]) != value.substr(0, equals)) continue;
        throw UsageError(fmt::format("--overhead '{}': leaves nothing of node '{}/{}', which takes {} ns", value, dag.name(), node.name,
                                     longest_piece(node).count()));
      }
    }
    value = fmt::format("{}={}ns", value.substr(0, equals), time->count());
  }
  return values;
}

/// A time as the workload reads it. Throws `UsageError` for one that it would refuse.
std::string checked_time(const po::variables_map& given, const char* option, Time least) {
  const auto& text = given[option].as<std::string>();
  constexpr Time most(1'000'000'000'000'000);
  const auto time = io::parse_time(text);
  if (time && *time >= least && *time <= most) return fmt::format("{}ns", time->count());
  throw UsageError(fmt::format("--{} '{}': must be a time {} 0 and at most 1000000s, e.g. 60s or 500ms", option, text,
                               least > Time() ? "above" : "of at least"));
}

/// The workload's own words for what the options choose. Throws `UsageError`.
std::vector<std::string> workload_options(const po::variables_map& given) {
  constexpr Choice<bool> levels[] = {{"dag", true}, {"job", true}, {"block", true}};
  constexpr Choice<bool> policies[] = {{"auto", true}, {"deadline", true}, {"fifo", true}, {"other", true}};
  constexpr Choice<bool> tasks[] = {{"threads", true}, {"processes", true}};
  constexpr Choice<bool> streams[] = {{"per-job", true}, {"per-task", true}};
  (void)chosen("trace-level", given["trace-level"].as<std::string>(), levels);
  (void)chosen("scheduling", given["scheduling"].as<std::string>(), policies);
  (void)chosen("tasks", given["tasks"].as<std::string>(), tasks);
  (void)chosen("streams", given["streams"].as<std::string>(), streams);
  std::vector<std::string> words{"--duration", checked_time(given, "duration", Time(1)), "--warmup", checked_time(given, "warmup", Time())};
  for (const char* option : passed_on) {
    words.push_back(std::string("--") + option);
    words.push_back(given[option].as<std::string>());
  }
  return words;
}

bool build(const validation::Workload& workload, const process::OwnFolder& folder, bool progress) {
  std::optional<ProgressLine> line(std::in_place, progress);
  line->say("building the workload");
  std::vector<std::string> words{"make", "-f", "Makefile"};
  if (workload.needs_cuda) words.push_back("NVCC=" + validation::find_nvcc());
  const process::ToolOutput built = process::run_tool(words, folder.descriptor());
  line.reset();
  if (built.status == 0) return true;
  std::cerr << built.text;
  std::cerr << (!built.started ? "rta: make is missing (Debian: make and g++)\n" : "rta: the workload could not be built\n");
  return false;
}

ExitStatus run_task_set(const po::variables_map& given, const TaskSetInput& input, const std::string& path) {
  refuse_options(given, {"frames", "overrun", "execution", "seed", "late"}, "a task set");
  std::vector<std::string> outputs;
  if (given.count("output") != 0) outputs = given["output"].as<std::vector<std::string>>();
  const auto all_targets = targets<report::ComparisonReport>(text_of(given, "format"), outputs);
  const bool quiet = given["quiet"].as<bool>();
  const compare::Shown shown = shown_of_each(given, all_targets, 1);
  const std::vector<std::string> checked = workload_options(given);
  const auto cpus = values_by_pool(given, "cpus", Named::cpu, *input.task_set);
  const auto devices = values_by_pool(given, "device", Named::other, *input.task_set);
  const auto overheads = checked_overheads(given, *input.task_set);
  const analysis::GivenOptions options = given_options(given);
  const Played as_played = played_by_program(input.task_set, options);
  const validation::Workload workload = validation::generate_workload(as_played.proof, input.text, as_played.options);
  if (workload.needs_cuda) {
    const std::string missing = missing_for_cuda("rta workload");
    std::cerr << missing;
    if (!missing.empty()) return ExitStatus::bad_input;
  }
  const WorkingFolder folder(text_of(given, "keep"));
  validation::write_workload(workload, folder.path());
  if (!build(workload, folder.own(), shows_progress(given))) return ExitStatus::bad_input;

  const char* const trace = "trace.jsonl";
  folder.own().remove(trace);
  std::vector<std::string> words{"./workload", "--output", trace};
  words.insert(words.end(), checked.begin(), checked.end());
  for (const std::string& value : cpus) words.insert(words.end(), {"--cpus", value});
  for (const std::string& value : devices) words.insert(words.end(), {"--device", value});
  for (const std::string& value : overheads) words.insert(words.end(), {"--overhead", value});
  if (quiet) words.emplace_back("--quiet");
  const int status = process::run_attached(words, folder.own().descriptor());  // after an interrupt, what was recorded is still compared
  if (status != 0 && status != 1) {
    std::cerr << "rta: the workload could not run\n";
    return ExitStatus::bad_input;
  }
  return report_comparison(std::span(&input, 1), {(folder.path() / trace).string()},
                           {as_played.options, std::nullopt, shown, given["verbose"].as<bool>(), quiet, path, given.count("keep") != 0},
                           all_targets);
}

ExitStatus run_run(const po::variables_map& given, const std::vector<std::string>& arguments) {
  const std::string& path = arguments.front();
  std::string text = io::read_task_set_text(path);
  if (static_order::is_schedule(text)) return run_schedule(given, parse_schedule_input(std::move(text), path));
  const report::ShownTimes shown_times(time_style(given, text));
  if (const auto on_device = input_on_device(given, text, path, Player::machine)) return run_task_set(given, *on_device, path);
  return run_task_set(given, parse_input(std::move(text), path), path);
}

}  // namespace

const Command& run_command() {
  static const Command command{
      "run",
      "FILE",
      "Run a task set or a static schedule on this machine and compare it with what is proven",
      "Generates the workload of the task set in FILE (- is standard input), builds it, runs it and prints the comparison of `rta "
      "compare`: "
      "all on this machine, which needs a GPU and the CUDA Toolkit where the task set has GPU, copy or worker nodes, and only g++ and make "
      "where it has none. Real-time scheduling needs root (or cap_sys_nice); without it the report says what was in force.\n\n"
      "A FILE that `rta compile` wrote is played by one process per client, whose runnables occupy their resources for as long as they "
      "may; "
      "this needs only a C compiler and make.\n\n"
      "The exit status is 0 when no job was above its bound or ended after its deadline, 1 when some did or when the run was not what the "
      "task set says, 2 when it "
      "could "
      "not be run or for bad input or usage.",
      options_of_run,
      1,
      run_run,
      0,
      {{"rta run tasksets/examples/pedestrian.yaml --duration 10s", "on a machine with a GPU: ten seconds, beside the bounds"},
       {"rta run schedule.yaml --frames 100", "play a static schedule on the CPUs of this machine"}}};
  return command;
}

}  // namespace rta::cli
