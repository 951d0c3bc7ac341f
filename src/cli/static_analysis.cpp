#include "static_analysis.hpp"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): SIGINT

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <string>
#include <utility>
#include <variant>

#include "analysis_options.hpp"
#include "command.hpp"
#include "number.hpp"
#include "process/signals.hpp"
#include "progress_line.hpp"
#include "rta/report/time_text.hpp"
#include "rta/static_order/task_set_graph.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

void refuse_without_effect(const po::variables_map& given) {
  for (const analysis::OptionEntry& entry : analysis::option_table()) {
    const std::string name(entry.name);
    if (name == "release" || given.count(name) == 0 || (entry.is_flag() && !given[name].as<bool>())) continue;
    throw UsageError(fmt::format("--{} has no effect on a static order", name));
  }
  constexpr std::array elsewhere{std::pair("explain", "rta compile FILE --explain RUNNABLE"),
                                 std::pair("why", "rta compile FILE --explain RUNNABLE")};
  for (const auto& [name, instead] : elsewhere) {
    if (given.count(name) != 0) throw UsageError(fmt::format("--{} is for the other policies; here {}", name, instead));
  }
  if (given.count("largest-rate") != 0)
    throw UsageError("--largest-rate is for the other policies: a static order is of the periods that it was made for");
  for (const char* flag : {"suggest", "slack", "jobs"}) {
    if (!given[flag].as<bool>()) continue;
    throw UsageError(fmt::format("--{} is for the other policies; rta compile FILE shows {}", flag,
                                 std::string_view(flag) == "jobs" ? "all jobs" : "the slack of runnables"));
  }
}

constexpr const char* no_switches = "static orders do not count the kernel switches that the profile measured";

bool has_kernels(const TaskSet& task_set) {
  return std::ranges::any_of(task_set.dags(), [](const Dag& dag) {
    return std::ranges::any_of(dag.nodes(), [](const Node& node) { return std::holds_alternative<GpuDemand>(node.demand); });
  });
}

}  // namespace

bool asks_for_static_order(const po::variables_map& given) {
  if (given.count("release") == 0) return false;
  const auto& release = given["release"].as<std::string>();
  const std::vector<std::string_view>& others = analysis::find_option("release")->values;
  if (release == "static" || std::ranges::find(others, release) != others.end()) return release == "static";
  throw UsageError(fmt::format("--release '{}': no such value (allowed: {}, static)", release, fmt::join(others, ", ")));
}

static_order::PeriodicProof analyze_static_order(const po::variables_map& given, const std::shared_ptr<const TaskSet>& task_set,
                                                 bool kernel_switches, int readings) {
  refuse_without_effect(given);
  if (kernel_switches && has_kernels(*task_set)) throw UserError(no_switches);
  const process::StopRequest interrupted{SIGINT};  // ends the search with the best so far
  static_order::CompileOptions options;
  options.stop = interrupted.token();
  if (given.count("time-limit") != 0) {
    options.time_limit = seconds_option(given, "time-limit") / readings;
  } else {
    options.effort = 1;
  }
  tell_many_jobs(given, static_order::graph_of(*task_set));
  ProgressLine line(shows_progress(given), std::chrono::seconds(1));
  options.progress = [&](const static_order::CompileProgress& progress) {
    line.update([&] {
      return fmt::format("static order: {}, at least {}", report::time_text(progress.length), report::time_text(progress.lower_bound));
    });
  };
  return static_order::prove_periodic(task_set, options);
}

void tell_many_jobs(const po::variables_map& given, const static_order::Graph& graph) {
  constexpr std::uint64_t many = 5'000;
  const std::uint64_t jobs = static_order::jobs_of(graph);
  if (jobs <= many || given["quiet"].as<bool>()) return;
  std::cerr << fmt::format("note: a schedule of {} jobs is searched; --time-limit says how long\n", jobs);
}

analysis::PolicyOutcome first_static_order(const std::shared_ptr<const TaskSet>& task_set, bool kernel_switches) {
  if (kernel_switches && has_kernels(*task_set)) return {Release::fixed_order, std::nullopt, std::nullopt, no_switches};
  return static_order::first_order_outcome(task_set);
}

}  // namespace rta::cli
