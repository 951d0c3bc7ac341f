#include <fmt/format.h>

#include <ostream>

#include "page.hpp"
#include "simulation_printers.hpp"
#include "timeline_chart.hpp"

namespace rta::report {

void print_simulation_page(const SimulationReport& report, std::ostream& out) {
  Page page;
  page.title = "Simulation of " + report.task_set;
  page.summary = report.verdict;
  for (const SimulationFact& fact : report.facts) page.facts.emplace_back(fact.name, fact.text);
  if (!report.dags.empty()) page.content.emplace_back(PageTable{"End to end", response_table(report.dags, false)});
  if (!report.chains.empty()) page.content.emplace_back(PageTable{"Chains", chain_table(report.chains)});
  if (!report.operations.empty()) page.content.emplace_back(PageTable{"Operations", operation_table(report.operations)});
  if (report.timeline != nullptr && !report.timeline->bars().empty()) {
    std::string caption =
        "Each row is a processor, engine, worker or SM; a block is as high as its G-threads. Triangles are releases. The wheel zooms, "
        "dragging moves, a double click shows all.";
    if (report.timeline->left_out() > 0) caption += fmt::format(" {} more bars in this window are not drawn.", report.timeline->left_out());
    page.content.emplace_back(Chart{"Timeline", caption, timeline_specification(*report.timeline)});
  }
  if (!report.nodes.empty()) page.content.emplace_back(PageTable{"Nodes", response_table(report.nodes, true)});
  for (const std::string& warning : report.warnings) page.content.emplace_back(Paragraph{"Warning: " + warning});
  out << html(page);
}

}  // namespace rta::report
