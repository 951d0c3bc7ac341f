#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "report/parts/page.hpp"
#include "rta/compare/static_timeline.hpp"
#include "rta/report/schedule_report.hpp"
#include "schedule_printers.hpp"
#include "static_comparison_printers.hpp"
#include "timeline_chart.hpp"
#include "timeline_drawing.hpp"
#include "wait_table.hpp"

namespace rta::report {
namespace {

void add_timeline(const StaticComparisonReport& report, const compare::StaticComparison& c, std::size_t hyperepoch, Page& page) {
  const trace::Timeline timeline = compare::static_timeline(report.schedule, c, hyperepoch);
  if (timeline.bars().empty()) return;
  const auto waiting = trace::waiting(timeline);
  const std::string& name = report.schedule.hyperepochs[hyperepoch].name;
  page.content.emplace_back(chart_of_timeline("First frames of " + name, "As they were played. ", timeline, waiting));
  if (PageTable table = wait_table(timeline, waiting, name); table.rows.size() > 1) page.content.emplace_back(std::move(table));
}

void add_charts(const StaticComparisonReport& report, const compare::StaticComparison& c, Page& page) {
  for (std::size_t h = 0; h < report.schedule.hyperepochs.size(); ++h) {
    if (c.hyperepochs[h].frames == 0) continue;
    HyperepochReport known{.proof = &report.proofs[h], .compiled = nullptr, .observed = {}};
    for (const auto& window : c.windows[h])
      known.observed.push_back(window ? std::optional(ObservedRunnable{window->earliest_start, window->latest_end}) : std::nullopt);
    const std::string& name = report.schedule.hyperepochs[h].name;
    page.content.emplace_back(
        Chart{"Hyperepoch " + name,
              "Bars: latest starts and ends, as proven. Thin bars below: from the earliest start to the latest end in " + c.trace +
                  ". Pointing at a bar shows what it waits for and what waits for it.",
              gantt_specification(report.schedule.hyperepochs[h], known, report.schedule.clients)});
    add_timeline(report, c, h, page);
  }
}

void add_late_jobs(const compare::StaticComparison& c, Page& page) {
  if (c.late_jobs.empty()) return;
  PageTable table{"Jobs that ended later than proven", {{"job", "why"}}};
  for (const compare::LateJob& job : c.late_jobs) {
    std::string reasons;
    for (const std::string& reason : job.reasons) reasons += (reasons.empty() ? "" : "; ") + reason;
    table.rows.push_back({late_text(job), reasons});
  }
  page.content.emplace_back(std::move(table));
}

void add_comparison(const StaticComparisonReport& report, const compare::StaticComparison& c, Page& page) {
  page.content.emplace_back(Paragraph{c.trace + ": " + verdict_line(c) + "."});
  page.content.emplace_back(PageTable{"", played_hyperepoch_rows(report, c)});
  add_charts(report, c, page);
  page.content.emplace_back(PageTable{"Runnables", played_runnable_rows(c)});
  page.content.emplace_back(PageTable{"Resources", played_resource_rows(report, c)});
  add_late_jobs(c, page);
  if (c.checks.empty()) return;
  PageTable checks{"What the run found when it checked itself", {{"check", "outcome", "finding"}}};
  for (const auto& check : c.checks) checks.rows.push_back({check.name, check.outcome, check.text});
  page.content.emplace_back(std::move(checks));
}

}  // namespace

void print_static_comparison_page(const StaticComparisonReport& report, std::ostream& out) {
  Page page;
  page.title = "Played schedule of " + report.schedule.graph;
  page.summary = report.comparisons.size() == 1 ? verdict_line(report.comparisons.front()) + "."
                 : std::ranges::all_of(report.comparisons, [](const auto& c) { return c.as_proven(); })
                     ? "In all traces everything ended when proven, but for wake-ups."
                     : "In some trace something took longer than its WCET or ended later than proven.";
  const bool proven = std::ranges::all_of(report.comparisons, [](const auto& c) { return c.as_proven(); });
  const bool known = std::ranges::all_of(report.comparisons, [](const auto& c) { return c.valid() && c.complete && c.conclusive(); });
  page.badge = !proven ? Badge{"beyond what is proven", Badge::Tone::bad}
               : known ? Badge{"as proven", Badge::Tone::good}
                       : Badge{"not conclusive", Badge::Tone::neutral};
  for (const compare::StaticComparison& c : report.comparisons) {
    std::string facts = c.header.source;
    if (c.header.device) facts += ", " + *c.header.device;
    if (c.header.started) facts += ", " + *c.header.started;
    page.facts.emplace_back(c.trace, facts);
  }
  for (const compare::StaticComparison& c : report.comparisons) add_comparison(report, c, page);
  embed("comparison.json", print_static_comparison_json, report, page);
  out << html(page);
}

}  // namespace rta::report
