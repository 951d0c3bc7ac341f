#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "page.hpp"
#include "rta/report/schedule_report.hpp"
#include "rta/report/time_text.hpp"
#include "schedule_printers.hpp"
#include "static_comparison_printers.hpp"
#include "zoomed_time.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_rows = 2'000;  // of a table of runnables

double ms(Time time) { return static_cast<double>(time.count()) / 1e6; }

/// What runs a runnable: the first of its resources.
std::string place_of(const static_order::ScheduledHyperepoch& h, std::size_t runnable) {
  const auto& resources = h.runnables[runnable].resources;
  return resources.empty() ? std::string("-") : h.resources[resources.front()].name;
}

std::string timeline(const StaticComparisonReport& report, const compare::StaticComparison& c, std::size_t hyperepoch) {
  const static_order::ScheduledHyperepoch& h = report.schedule.hyperepochs[hyperepoch];
  Json values = Json::array();
  std::set<std::string> rows;
  double first = 0;
  double last = 0;
  for (const compare::PlayedInterval& i : c.timeline) {
    if (i.hyperepoch != hyperepoch) continue;
    const std::string place = place_of(h, i.scheduled);
    if (values.empty()) first = ms(i.start);
    first = std::min(first, ms(i.start));
    last = std::max(last, ms(i.end));
    rows.insert(place);
    values.push_back(
        {{"row", place},
         {"name", c.runnables[i.runnable].name},
         {"start", ms(i.start)},
         {"end", ms(i.end)},
         {"label", fmt::format("{} in frame {}\n{} to {} after its start, {} in all", c.runnables[i.runnable].name, i.frame,
                               time_text(i.start - i.frame_start), time_text(i.end - i.frame_start), time_text(i.end - i.start))}});
  }
  Json spec = Json::parse(R"json({
    "$schema": "https://vega.github.io/schema/vega/v5.json", "padding": 5, "autosize": "pad", "signals": [],
    "scales": [
      {"name": "x", "type": "linear", "range": "width", "zero": false, "nice": false, "domain": {"signal": "domainX"}},
      {"name": "row", "type": "band", "range": "height", "padding": 0.15, "domain": {"data": "jobs", "field": "row", "sort": true}},
      {"name": "colour", "type": "ordinal", "range": {"scheme": "category20"}, "domain": {"data": "jobs", "field": "name"}}],
    "axes": [
      {"orient": "bottom", "scale": "x", "title": "time (ms)", "grid": true, "tickCount": {"signal": "max(3, width / 90)"}},
      {"orient": "left", "scale": "row", "labelLimit": 220}],
    "marks": [
      {"type": "group", "clip": true, "encode": {"update": {"width": {"signal": "width"}, "height": {"signal": "height"}, "fill": {"value": "transparent"}}},
       "marks": [{"type": "rect", "from": {"data": "jobs"}, "encode": {"update": {
         "x": {"scale": "x", "field": "start"}, "x2": {"signal": "max(scale('x', datum.end), scale('x', datum.start) + 1)"},
         "y": {"scale": "row", "field": "row"}, "height": {"scale": "row", "band": 1},
         "fill": {"scale": "colour", "field": "name"}, "tooltip": {"field": "label"}}}}]}]
  })json");
  spec["height"] = 28 * std::max<std::size_t>(rows.size(), 1);
  add_zoomed_time(spec, first, std::max(last, first + 1e-6));
  spec["data"] = Json::array({{{"name", "jobs"}, {"values", values}}});
  return spec.dump(-1, ' ', false, Json::error_handler_t::replace);
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
              "Bars: latest starts and ends, as proven. Dark bars below: from the earliest start to the latest end in " + c.trace +
                  ". Pointing at a bar shows what it waits for and what waits for it. The wheel zooms, dragging moves, a double "
                  "click shows all.",
              gantt_specification(report.schedule.hyperepochs[h], known)});
    page.content.emplace_back(Chart{"First frames of " + name, "As they were played.", timeline(report, c, h)});
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
  PageTable runnables{"Runnables", played_runnable_rows(c)};
  if (runnables.rows.size() > most_rows) {
    page.content.emplace_back(
        Paragraph{fmt::format("The table shows {} of {} runnables; JSON and CSV have all.", most_rows, runnables.rows.size() - 1)});
    runnables.rows.resize(most_rows + 1);
  }
  page.content.emplace_back(std::move(runnables));
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
  for (const compare::StaticComparison& c : report.comparisons) {
    std::string facts = c.header.source;
    if (c.header.device) facts += ", " + *c.header.device;
    if (c.header.started) facts += ", " + *c.header.started;
    page.facts.emplace_back(c.trace, facts);
  }
  for (const compare::StaticComparison& c : report.comparisons) add_comparison(report, c, page);
  out << html(page);
}

}  // namespace rta::report
