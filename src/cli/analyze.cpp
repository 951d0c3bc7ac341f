#include "rta/analysis/analyze.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <chrono>
#include <functional>
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>

#include "choice.hpp"
#include "command.hpp"
#include "number.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "rta/io/profile_file.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/report/analysis_report.hpp"
#include "task_set_input.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

constexpr Choice<analysis::Granularity> granularities[] = {
    {"fine", analysis::Granularity::fine}, {"coarse", analysis::Granularity::coarse}, {"monolithic", analysis::Granularity::monolithic}};
constexpr Choice<Scheduler> schedulers[] = {
    {"G-EDF", Scheduler::g_edf}, {"G-FL", Scheduler::g_fl}, {"FIFO", Scheduler::fifo}, {"LP", Scheduler::lp}};
constexpr Choice<analysis::Objective> objectives[] = {{"sum", analysis::Objective::sum},
                                                      {"max-lateness", analysis::Objective::max_lateness}};
constexpr Choice<analysis::CpuBound> cpu_bounds[] = {
    {"best", analysis::CpuBound::best}, {"T1", analysis::CpuBound::T1}, {"T3", analysis::CpuBound::T3}, {"T4", analysis::CpuBound::T4}};
constexpr Choice<analysis::fifo::Bound> gpu_bounds[] = {{"best", analysis::fifo::Bound::best},
                                                        {"T5", analysis::fifo::Bound::T5},
                                                        {"T6a", analysis::fifo::Bound::T6a},
                                                        {"T6b", analysis::fifo::Bound::T6b}};
constexpr Choice<analysis::gel::Refinement> refinements[] = {
    {"none", analysis::gel::Refinement::none},   {"demand", analysis::gel::Refinement::demand},
    {"carry", analysis::gel::Refinement::carry}, {"response", analysis::gel::Refinement::response},
    {"early", analysis::gel::Refinement::early}, {"all", analysis::gel::Refinement::all}};

constexpr Choice<analysis::ReleasePolicy> release_policies[] = {{"offsets", analysis::ReleasePolicy::offsets},
                                                                {"completion", analysis::ReleasePolicy::completion},
                                                                {"segments", analysis::ReleasePolicy::segments},
                                                                {"best", analysis::ReleasePolicy::best}};
constexpr Choice<bool> optimizations[] = {{"priorities", true}};

// True once `limit` seconds have passed since now.
std::function<bool()> stop_after(double limit) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(limit);
  return [end] { return std::chrono::steady_clock::now() >= end; };
}

// Without --release: the best policy, unless some option asks for an analysis that only offsets have.
analysis::ReleasePolicy release_policy(const po::variables_map& given) {
  if (given.count("release") != 0) return chosen("release", given["release"].as<std::string>(), release_policies);
  const char* const of_offsets[] = {"granularity", "cpu-bound", "gpu-bound", "refine"};
  const bool offsets = given["shared-weights"].as<bool>() || std::any_of(std::begin(of_offsets), std::end(of_offsets),
                                                                         [&](const char* name) { return !given[name].defaulted(); });
  return offsets ? analysis::ReleasePolicy::offsets : analysis::ReleasePolicy::best;
}

/// What was asked for in vain is not passed over.
void refuse_options_without_effect(const po::variables_map& given, const analysis::Options& options) {
  const auto refuse = [](const std::string& one, const std::string& other) {
    throw UsageError(one + " and " + other + " do not go together");
  };
  using analysis::ReleasePolicy;
  if (given.count("release") != 0) {
    const std::string release = "--release " + given["release"].as<std::string>();
    const bool at_offsets = options.release == ReleasePolicy::offsets || options.release == ReleasePolicy::best;
    for (const char* option : {"cpu-bound", "gpu-bound", "refine"}) {
      if (!at_offsets && !given[option].defaulted()) refuse(release, std::string("--") + option);
    }
    if (!at_offsets && options.shared_weights) refuse(release, "--shared-weights");
    if (options.release == ReleasePolicy::segments && given.count("priorities") != 0) refuse(release, "--priorities");
  }
  if (options.release == ReleasePolicy::offsets) {
    const std::string release =
        given.count("release") != 0 ? "--release offsets" : "options that only offsets have (--granularity, --cpu-bound, --gpu-bound, ...)";
    if (options.optimize_priorities) refuse(release, "--optimize");
    if (given.count("priorities") != 0) refuse(release, "--priorities");
  }
  if (options.optimize_priorities && !given["objective"].defaulted() && options.objective == analysis::Objective::sum) {
    refuse("--optimize priorities, which minimises the maximum lateness,", "--objective sum");
  }
}

po::options_description options() {
  po::options_description all;
  all.add_options()(
      "release", po::value<std::string>()->value_name("NAME"),
      "when nodes are released: offsets (fixed, from the DAG's release), completion (when the last predecessor ends; the nodes "
      "of a DAG share its priority point), segments (completion between chosen or given cuts, offsets at them) or best (the "
      "default: whichever meets all deadlines with the smaller bounds; offsets where --granularity, --cpu-bound, --gpu-bound, "
      "--shared-weights or --refine ask for it)");
  all.add_options()(
      "optimize", po::value<std::string>()->value_name("NAME"),
      "priorities: search for the DAGs' relative priority points with the smallest maximum lateness (release on completion or "
      "segments)");
  all.add_options()("priorities", po::value<std::string>()->value_name("NAME"), priorities_help());
  all.add_options()("most-periods", po::value<std::string>()->value_name("N")->default_value("1000"),
                    "on completion and segments: a DAG has no bound once its would pass so many of its periods");
  all.add_options()("time-limit", po::value<std::string>()->value_name("SECONDS"),
                    "end the searches of release on completion and segments after that time with the best bounds proven so far (T10 where "
                    "T10n was not done)");
  all.add_options()(
      "scheduler", po::value<std::string>()->value_name("NAME"),
      "scheduler of every CPU pool, in place of the file's: G-EDF, G-FL, FIFO or LP (priority points chosen by a linear program)");
  all.add_options()("non-preemptive", po::bool_switch(),
                    "CPU pools run what they have started to its end, whatever the file says: bounded on completion and segments only");
  all.add_options()("objective", po::value<std::string>()->value_name("NAME")->default_value("sum"),
                    "what LP minimises: sum (of the end-to-end bounds) or max-lateness (always with --optimize priorities)");
  all.add_options()(
      "granularity", po::value<std::string>()->value_name("NAME")->default_value("fine"),
      "fine (every node a task), coarse (every group one sequential CPU task that awaits its kernels) or monolithic (every DAG one "
      "such task); the last two use G-EDF unless --scheduler says otherwise");
  all.add_options()("cpu-bound", po::value<std::string>()->value_name("NAME")->default_value("best"),
                    "theorem for CPU pools: best (the one that applies), T1, or for sequential nodes T3, T4 (G-EDF with D = T)");
  all.add_options()(
      "gpu-bound", po::value<std::string>()->value_name("NAME")->default_value("best"),
      "theorem for GPUs: best (per node the least bound that applies), T5 (Theorem 4.3), T6a or T6b; kernels of two priorities always "
      "use T7");
  all.add_options()("shared-weights", po::bool_switch(), "T6b with one set of weights for all kernels of a GPU: faster, seldom worse");
  all.add_options()("refine", po::value<std::string>()->value_name("NAME")->default_value("all"),
                    "how far bounds are sharpened: none, demand (T1e), carry (T1c, T6c), response (T1n, T6n), early (all that hold as well "
                    "when CPU nodes are released before their offsets: all but T1n) or all");
  all.add_options()("profile", po::value<std::string>()->value_name("PROFILE"),
                    "what `rta examine` found on the device: its figures replace those of the built-in table, the largest dispatch latency "
                    "is added to every L, and the output says which rules that the bounds rest on were confirmed there, or warns");
  all.add_options()("strict", po::bool_switch(), "with --profile: exit status 1 and no bounds where such a rule was refuted");
  all.add_options()("suggest", po::bool_switch(), "list block sizes (same G-threads in all) that would raise a GPU's capacity");
  all.add_options()("explain", po::value<std::vector<std::string>>()->composing()->value_name("NODE"),
                    "show the formula of that bound with its numbers put in; DAG, NODE or DAG/NODE; may be repeated");
  all.add_options()("verbose,v", po::bool_switch(), "show every node");
  all.add_options()("format", po::value<std::string>()->value_name("NAME"), "text (default), json, csv or html");
  all.add_options()("output,o", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
                    "write to FILE instead of standard output; the extension (.txt, .json, .csv, .html) tells the format; may be repeated");
  all.add_options()("quiet,q", po::bool_switch(), "no warnings, no progress");
  return all;
}

// A rule that bounds rest on and that the device does not follow, for warnings.
std::string refutation(const analysis::RuleUse& use, const std::string& device) {
  std::string pools;
  for (const std::string& pool : use.pools) pools += (pools.empty() ? "'" : ", '") + pool + "'";
  return "the bounds of " + pools + " rest on " + std::string(to_string(use.verdict.rule)) + " (" +
         std::string(statement(use.verdict.rule)) + "), which was refuted on " + device + ": " + use.verdict.reason;
}

ExitStatus run(const po::variables_map& given, const std::vector<std::string>& arguments) {
  analysis::Options options;
  options.granularity = chosen("granularity", given["granularity"].as<std::string>(), granularities);
  options.objective = chosen("objective", given["objective"].as<std::string>(), objectives);
  options.cpu_bound = chosen("cpu-bound", given["cpu-bound"].as<std::string>(), cpu_bounds);
  options.gpu_bound = chosen("gpu-bound", given["gpu-bound"].as<std::string>(), gpu_bounds);
  options.refinement = chosen("refine", given["refine"].as<std::string>(), refinements);
  options.shared_weights = given["shared-weights"].as<bool>();
  options.suggest = given["suggest"].as<bool>();
  options.release = release_policy(given);
  if (given.count("optimize") != 0) options.optimize_priorities = chosen("optimize", given["optimize"].as<std::string>(), optimizations);
  if (given.count("priorities") != 0) options.priorities = priorities_named(given["priorities"].as<std::string>());
  refuse_options_without_effect(given, options);
  options.most_periods = static_cast<std::int64_t>(whole_number(given, "most-periods", 1, std::numeric_limits<std::int64_t>::max()));
  if (given.count("time-limit") != 0) options.stop = stop_after(decimal_number(given, "time-limit"));
  if (given.count("scheduler") != 0) options.scheduler = chosen("scheduler", given["scheduler"].as<std::string>(), schedulers);
  if (given["non-preemptive"].as<bool>()) options.preemptive = false;
  if (given.count("explain") != 0) options.explain = given["explain"].as<std::vector<std::string>>();
  std::optional<std::string> format;
  if (given.count("format") != 0) format = given["format"].as<std::string>();
  std::vector<std::string> outputs;
  if (given.count("output") != 0) outputs = given["output"].as<std::vector<std::string>>();
  const auto all_targets = targets(format, outputs, &report::Format::analysis);

  const bool strict = given["strict"].as<bool>();
  if (strict && given.count("profile") == 0) throw UsageError("--strict needs --profile");

  auto read = io::read_task_set(arguments.front());
  std::vector<std::string> warnings;
  for (const io::Diagnostic& warning : read.warnings) warnings.push_back(warning.text());
  std::optional<analysis::RuleCheck> rules;
  if (given.count("profile") != 0) {
    const DeviceProfile profile = io::read_profile(given["profile"].as<std::string>());
    auto measured = analysis::on_measured_device(read.task_set, profile);
    rules = analysis::check_rules(measured.task_set, profile);
    warnings.insert(warnings.end(), measured.warnings.begin(), measured.warnings.end());
    for (const analysis::RuleUse& use : rules->refuted) {
      if (strict) {
        std::cerr << "refused: " << refutation(use, rules->device) << '\n';
      } else {
        warnings.push_back(refutation(use, rules->device));
      }
    }
    if (strict && !rules->refuted.empty()) return ExitStatus::no;
    read.task_set = std::move(measured.task_set);
  }
  const auto analyzed = [&] {
    ProgressLine line(shows_progress(given), std::chrono::seconds(1));
    options.progress = [&line](std::string_view what) { line.update([&] { return fmt::format("{}, {:.0f} s", what, line.elapsed()); }); };
    return analysis::analyze(std::make_shared<const TaskSet>(std::move(read.task_set)), options);
  };
  auto analysis = analyzed();
  analysis.rules = std::move(rules);
  warnings.insert(warnings.end(), analysis.warnings.begin(), analysis.warnings.end());
  analysis.warnings = warnings;
  if (!given["quiet"].as<bool>()) {
    for (const std::string& warning : warnings) std::cerr << "warning: " << warning << '\n';
  }

  for (const Target& target : all_targets) {
    const report::TextStyle style{given["verbose"].as<bool>(), !target.path && colour_on_standard_output()};
    write(target, [&](std::ostream& out) { target.format->analysis({analysis, style}, out); });
  }
  return analysis.verdict == analysis::Verdict::schedulable ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace

const Command& analyze_command() {
  static const Command command{
      "analyze",
      "FILE",
      "Prove a response-time bound for every node and DAG of a task set",
      "Reads the task set in FILE (- is standard input) and prints the verdict, then for every pool its utilization, the capacity up to "
      "which "
      "bounds are proven, and why; then every DAG's end-to-end bound beside its deadline. Every bound comes from a theorem, is rounded up "
      "to whole nanoseconds and names its theorem.\n\n"
      "The exit status is 0 when every response time is bounded and every end-to-end deadline is met, 1 when not (or refused with "
      "--strict), 2 for bad input or usage, 3 for an internal error.",
      options,
      1,
      run};
  return command;
}

}  // namespace rta::cli
