#include "simulate_replay.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/file.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/model/error.hpp"
#include "rta/report/time_text.hpp"
#include "simulate_search.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

}  // namespace

std::string run_text(const Played& system, const simulate::Options& run, const WorstRun& worst, const std::string& sha256) {
  trace::RunFile file;
  file.task_set_sha256 = sha256;
  file.release = to_string(system.proof.release);
  file.options = system.options;
  file.run = run;
  file.dag = worst.dag;
  file.job = worst.found.job;
  file.response = worst.found.response;
  return trace::format_run(file, nodes_simulated(system.proof));
}

Replay read_replay(const std::string& path, const std::shared_ptr<const TaskSet>& task_set, const std::string& sha256) {
  Replay replay;
  replay.file = trace::parse_run(io::read_file(path, path), path, *task_set);
  analysis::GivenOptions options = replay.file.options;
  if (replay.file.release != to_string(Release::grouped))
    options.emplace_back("release", replay.file.release);  // else --granularity says it
  try {
    (void)analysis::options_of(options);
  } catch (const UserError& error) {
    throw io::InputError({{path, 0, 0, error.what()}});
  }
  replay.system = played(task_set, options);
  if (replay.file.task_set_sha256 != sha256) {
    replay.warnings.push_back(path + ": found for another version of the task set (its SHA-256 differs)");
  }
  return replay;
}

bool shows_the_same(const Replay& replay, report::SimulationReport& report) {
  const report::ResponseRow& row = report.dags[replay.file.dag];
  const bool same = row.count > 0 && row.max == replay.file.response && row.worst_job == replay.file.job;
  report.facts.push_back({"replay", fmt::format("job {} of {}, {}{}", replay.file.job, row.dag, report::time_text(replay.file.response),
                                                same ? ", as the file says" : " says the file, which is not what was seen")});
  if (!same) {
    report.warnings.push_back(fmt::format("the file says that job {} of {} takes {}: the task set or the program has changed since",
                                          replay.file.job, row.dag, report::time_text(replay.file.response)));
  }
  return same;
}

Window window_of(const po::variables_map& given, const Played& system, const simulate::Options& run, const WorstRun& worst) {
  const TaskSet& set = nodes_simulated(system.proof);
  const auto job = seen_job(set, system.schedule, run, worst);
  if (!job) return window_option(given, {Time::zero(), longest_period(set) * 3});
  const Time before = std::min(job->release, longest_period(set));
  return window_option(given, {job->release - before, job->end});
}

}  // namespace rta::cli
