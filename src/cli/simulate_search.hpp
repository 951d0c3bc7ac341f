// `rta simulate --search`: the worst that many simulations show, and the run that shows it.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "command.hpp"
#include "played.hpp"
#include "rta/report/simulation_report.hpp"
#include "rta/simulate/search.hpp"
#include "rta/trace/timeline.hpp"
#include "simulate_options.hpp"

namespace rta::cli {

[[nodiscard]] Time longest_period(const TaskSet& set);

/// Searches around `base`, fills the report, writes the worst run to `run_file` where there is one, and plays it again for the traces and,
/// where there is one, the timeline. Whether all nodes were ready at their offsets. `sha256`: of the task-set file.
[[nodiscard]] bool search(const boost::program_options::variables_map& given, const Played& system, const simulate::Options& base,
                          const std::string& sha256, Traces& traces, report::SimulationReport& report,
                          std::optional<trace::Timeline>& timeline, std::ostream* run_file);

/// Of what was found: names the worst run, writes it to `run_file` where there is one, and plays it again.
void show_worst(const boost::program_options::variables_map& given, const Played& system, const simulate::SearchResult& found,
                const std::string& sha256, Traces& traces, report::SimulationReport& report, std::optional<trace::Timeline>& timeline,
                std::ostream* run_file);

}  // namespace rta::cli
