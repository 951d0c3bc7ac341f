// What was simulated of DAGs and nodes, beside their bounds and deadlines.
#pragma once

#include <optional>
#include <string>

#include "played.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/report/simulation_report.hpp"
#include "rta/simulate/simulate.hpp"

namespace rta::cli {

/// Of a DAG, or of its node v: all but what was observed.
[[nodiscard]] report::ResponseRow response_row(const Played& system, DagId d, std::optional<NodeId> v);

/// Adds all rows; `fill(row, d, v)` adds what was observed, of a group that of the last of its nodes v.
template <class Fill>
void add_rows(const Played& system, report::SimulationReport& report, const Fill& fill) {
  const auto played = nodes_of_tasks(system.proof);
  for (DagId d = 0; d < system.proof.dags.size(); ++d) {
    report.dags.push_back(response_row(system, d, std::nullopt));
    fill(report.dags.back(), d, std::optional<NodeId>());
    for (NodeId v = 0; v < system.proof.dags[d].nodes.size(); ++v) {
      report.nodes.push_back(response_row(system, d, v));
      fill(report.nodes.back(), d, std::optional<NodeId>(played[d][v].back()));
    }
  }
}

/// Adds all rows with what one simulation saw.
void add_rows(const Played& system, report::SimulationReport& report, const simulate::Observation& seen);

/// How the simulation ended, and what that makes of its statistics.
[[nodiscard]] std::string ending_text(simulate::Ending ending);

}  // namespace rta::cli
