#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <ostream>
#include <vector>

#include "chain_table.hpp"
#include "report/parts/page.hpp"
#include "rta/model/error.hpp"
#include "rta/report/time_text.hpp"
#include "simulation_printers.hpp"
#include "timeline_chart.hpp"
#include "timeline_figure.hpp"
#include "wait_table.hpp"

namespace rta::report {

namespace {

/// By how much of its bound or deadline the longest job took, whichever is more; below 0 where nothing is known.
double exhausted_share(const ResponseRow& row) {
  double share = -1;
  for (const auto& limit : {row.bound, row.deadline}) {
    if (row.count > 0 && limit && *limit > Time::zero())
      share = std::max(share, static_cast<double>(row.max.count()) / static_cast<double>(limit->count()));
  }
  return share;
}

std::vector<ResponseRow> worst_first(std::vector<ResponseRow> rows) {
  std::ranges::stable_sort(rows, std::greater<>(), exhausted_share);
  return rows;
}

std::optional<Badge> badge_of(const SimulationReport& report) {
  const auto any = [&](const auto& is) {
    return std::ranges::any_of(report.dags, is) || std::ranges::any_of(report.nodes, is) || std::ranges::any_of(report.chains, is);
  };
  if (any([](const auto& row) { return row.over(); })) return Badge{"above a bound", Badge::Tone::bad};
  if (any([](const auto& row) { return row.missed(); })) return Badge{"deadline missed", Badge::Tone::bad};
  const auto compared = [](const ResponseRow& row) { return row.count > 0 && (row.bound || row.deadline); };
  if (!std::ranges::any_of(report.dags, compared)) return std::nullopt;
  return Badge{
      std::ranges::any_of(report.dags, [](const ResponseRow& row) { return row.deadline.has_value(); }) ? "no miss seen" : "within bounds",
      Badge::Tone::good};
}

}  // namespace

void print_simulation_figure(const SimulationReport& report, std::ostream& out) {
  require(report.timeline != nullptr, "a figure has a timeline");
  out << timeline_svg(drawing_of(*report.timeline, trace::waiting(*report.timeline)), report.task_set);
}

void print_simulation_page(const SimulationReport& report, std::ostream& out) {
  Page page;
  page.title = "Simulation of " + report.task_set;
  page.summary = report.verdict;
  page.badge = badge_of(report);
  for (const SimulationFact& fact : report.facts) page.facts.emplace_back(fact.name, fact.text);
  for (const std::string& text : report.assumed) page.facts.emplace_back("bounds assume", text);
  if (!report.dags.empty()) page.content.emplace_back(PageTable{"End to end", response_table(worst_first(report.dags), false)});
  if (!report.chains.empty()) page.content.emplace_back(PageTable{"Chains", chain_table(report.chains)});
  if (report.timeline != nullptr && !report.timeline->bars().empty()) {
    const auto waiting = trace::waiting(*report.timeline);
    page.content.emplace_back(chart_of_timeline("Timeline", "", *report.timeline, waiting));
    if (report.operations.empty()) {
      if (PageTable table = wait_table(*report.timeline, waiting, ""); table.rows.size() > 1) page.content.emplace_back(std::move(table));
    }
  }
  if (!report.operations.empty()) page.content.emplace_back(PageTable{"Operations", operation_table(report.operations)});
  if (!report.nodes.empty()) page.content.emplace_back(PageTable{"Nodes", response_table(worst_first(report.nodes), true)});
  for (const std::string& warning : report.warnings) page.content.emplace_back(Paragraph{"Warning: " + warning});
  embed("simulation.json", print_simulation_json, report, page);
  out << html(page);
}

}  // namespace rta::report
