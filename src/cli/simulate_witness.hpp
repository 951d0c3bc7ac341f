// `rta simulate --witness`: the orders of starts that T36 finds worst, played.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "command.hpp"
#include "played.hpp"
#include "rta/report/simulation_report.hpp"
#include "rta/simulate/options.hpp"
#include "rta/trace/timeline.hpp"
#include "simulate_options.hpp"

namespace rta::cli {

/// Plays, for each DAG, the starts that lead to its latest end by T36, fills the report with what was seen, writes the worst of these runs
/// to `run_file` where there is one, and plays it again for the traces and the timeline. Throws `UserError` where T36 has no bounds.
void play_witnesses(const boost::program_options::variables_map& given, const Played& system, const simulate::Options& base,
                    const std::string& sha256, Traces& traces, report::SimulationReport& report, std::optional<trace::Timeline>& timeline,
                    std::ostream* run_file);

}  // namespace rta::cli
