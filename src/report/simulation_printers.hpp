// One function per output format of a simulation.
#pragma once

#include <iosfwd>
#include <string>

#include "rta/report/simulation_report.hpp"

namespace rta::report {

void print_simulation_text(const SimulationReport& report, std::ostream& out);
void print_simulation_json(const SimulationReport& report, std::ostream& out);
void print_simulation_csv(const SimulationReport& report, std::ostream& out);
/// The timeline alone, as SVG.
void print_simulation_figure(const SimulationReport& report, std::ostream& out);
void print_simulation_page(const SimulationReport& report, std::ostream& out);

/// Header and rows of the table of responses: `with_node` for nodes.
[[nodiscard]] std::vector<std::vector<std::string>> response_table(const std::vector<ResponseRow>& rows, bool with_node);
[[nodiscard]] std::vector<std::vector<std::string>> operation_table(const std::vector<OperationRow>& rows);

}  // namespace rta::report
