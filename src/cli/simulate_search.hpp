// `rta simulate --search`: the worst that many simulations show, and the run that shows it.
#pragma once

#include <optional>

#include "command.hpp"
#include "played.hpp"
#include "rta/report/simulation_report.hpp"
#include "rta/simulate/options.hpp"
#include "rta/trace/timeline.hpp"
#include "simulate_options.hpp"

namespace rta::cli {

[[nodiscard]] Time longest_period(const TaskSet& set);

/// Searches around `base`, fills the report, and plays the worst run again for the traces and, where there is one, the timeline. Whether
/// all nodes were ready at their offsets.
[[nodiscard]] bool search(const boost::program_options::variables_map& given, const Played& system, const simulate::Options& base,
                          Traces& traces, report::SimulationReport& report, std::optional<trace::Timeline>& timeline);

}  // namespace rta::cli
