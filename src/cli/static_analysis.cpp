#include "static_analysis.hpp"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): SIGINT

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <utility>
#include <variant>

#include "analysis_options.hpp"
#include "command.hpp"
#include "number.hpp"
#include "process/signals.hpp"
#include "progress_line.hpp"
#include "rta/report/time_text.hpp"

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
  for (const char* flag : {"suggest", "slack"}) {
    if (given[flag].as<bool>())
      throw UsageError(fmt::format("--{} is for the other policies; rta compile FILE shows the slack of runnables", flag));
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
  return given.count("release") != 0 && given["release"].as<std::string>() == "static";
}

static_order::PeriodicProof analyze_static_order(const po::variables_map& given, const std::shared_ptr<const TaskSet>& task_set,
                                                 bool kernel_switches) {
  refuse_without_effect(given);
  if (kernel_switches && has_kernels(*task_set)) throw UserError(no_switches);
  const process::StopRequest interrupted{SIGINT};  // ends the search with the best so far
  static_order::CompileOptions options;
  options.stop = interrupted.token();
  if (given.count("time-limit") != 0) {
    options.time_limit =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(decimal_number(given, "time-limit")));
  } else {
    options.effort = 1;
  }
  ProgressLine line(shows_progress(given), std::chrono::seconds(1));
  options.progress = [&](const static_order::CompileProgress& progress) {
    line.update([&] {
      return fmt::format("static order: {}, at least {}", report::time_text(progress.length), report::time_text(progress.lower_bound));
    });
  };
  return static_order::prove_periodic(task_set, options);
}

analysis::PolicyOutcome first_static_order(const std::shared_ptr<const TaskSet>& task_set, bool kernel_switches) {
  if (kernel_switches && has_kernels(*task_set)) return {Release::fixed_order, std::nullopt, std::nullopt, no_switches};
  return static_order::first_order_outcome(task_set);
}

}  // namespace rta::cli
