// `rta simulate --search-out` and `--replay`: the worst run of a search as a file, and the run of such a file.
#pragma once

#include <string>

#include "played.hpp"
#include "rta/report/simulation_report.hpp"
#include "rta/trace/run_file.hpp"
#include "rta/trace/timeline.hpp"
#include "simulate_options.hpp"
#include "worst_run.hpp"

namespace rta::cli {

/// The worst run that a search found, as a file. `sha256`: of the task-set file.
[[nodiscard]] std::string run_text(const Played& system, const simulate::Options& run, const WorstRun& worst, const std::string& sha256);

/// A run file, and the task set under the policy and the options that it names.
struct Replay {
  trace::RunFile file;
  Played system;
  std::vector<std::string> warnings;
};
/// Throws `io::InputError`.
[[nodiscard]] Replay read_replay(const std::string& path, const std::shared_ptr<const TaskSet>& task_set, const std::string& sha256);

/// Whether the run showed what the file says; else a warning.
[[nodiscard]] bool shows_the_same(const Replay& replay, report::SimulationReport& report);

/// From one period before the job's release, for what it had to wait for, to its end; --window goes before that.
[[nodiscard]] Window window_of(const boost::program_options::variables_map& given, const Played& system, const simulate::Options& run,
                               const WorstRun& worst);

}  // namespace rta::cli
