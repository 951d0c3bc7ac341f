#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "difference_printers.hpp"
#include "difference_rows.hpp"
#include "report/parts/page.hpp"
#include "report/parts/times.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_changes = 60;

// Two bars a row: pale what it was, full what it is, in the colour of what became of it.
constexpr const char* changes_specification = R"json({
  "$schema": "https://vega.github.io/schema/vega/v5.json", "padding": 5, "autosize": "pad",
  "signals": [{"name": "width", "value": 900}],
  "scales": [
    {"name": "x", "type": "linear", "range": "width", "nice": true, "zero": true, "domain": {"fields": [{"data": "bounds", "field": "before"}, {"data": "bounds", "field": "after"}]}},
    {"name": "row", "type": "band", "range": "height", "padding": 0.25, "domain": {"data": "bounds", "field": "name"}},
    {"name": "colour", "type": "ordinal", "domain": ["better", "worse"], "range": ["var(--met)", "var(--missed)"]}],
  "axes": [
    {"orient": "bottom", "scale": "x", "title": "bound (ms): pale before, full after", "grid": true, "gridOpacity": 0.4},
    {"orient": "left", "scale": "row", "labelLimit": 260}],
  "marks": [
    {"type": "rect", "from": {"data": "bounds"}, "encode": {"update": {
      "x": {"scale": "x", "value": 0}, "x2": {"scale": "x", "field": "before"}, "y": {"scale": "row", "field": "name"}, "height": {"scale": "row", "band": 0.5},
      "fill": {"value": "var(--nodeadline)"}, "fillOpacity": {"value": 0.5}, "tooltip": {"field": "label"}}}},
    {"type": "rect", "from": {"data": "bounds"}, "encode": {"update": {
      "x": {"scale": "x", "value": 0}, "x2": {"scale": "x", "field": "after"}, "y": {"scale": "row", "field": "name", "band": 0.5}, "height": {"scale": "row", "band": 0.5},
      "fill": {"scale": "colour", "field": "trend"}, "tooltip": {"field": "label"}}}}]
})json";

// Of DAGs and chains whose bounds differ; nodes' are in the table.
void add_changes_chart(const diff::Difference& difference, Page& page) {
  Json bars = Json::array();
  std::size_t found = 0;
  for (const bool worse : {true, false}) {
    for (const diff::Entry& entry : difference.entries) {
      if (entry.subject != diff::Subject::dag && entry.subject != diff::Subject::chain) continue;
      for (const diff::Change& change : entry.changes) {
        if (change.after.meaning != diff::Meaning::bound || is_worse(change.trend) != worse) continue;
        if (!change.before.time && !change.after.time) continue;
        if (++found > most_changes) continue;
        const std::string name = entry.subject == diff::Subject::dag ? entry.name : entry.name + ": " + words_of_key(change.after.key);
        const auto text = [](const diff::Fact& fact) { return fact.time ? time_text(*fact.time) : std::string("no bound"); };
        bars.push_back({{"name", name},
                        {"before", change.before.time ? ms(*change.before.time) : 0},
                        {"after", change.after.time ? ms(*change.after.time) : 0},
                        {"trend", worse ? "worse" : "better"},
                        {"label", fmt::format("{}\nbefore {}\nafter {}", name, text(change.before), text(change.after))}});
      }
    }
  }
  if (bars.empty()) return;
  std::string caption = "Bounds of DAGs and chains that are not what they were.";
  if (found > bars.size()) caption += fmt::format(" Drawn are {} of {}, what became worse first.", bars.size(), found);
  Json specification = Json::parse(changes_specification);
  specification["height"] = std::max<std::size_t>(60, 34 * bars.size());
  specification["data"] = {{{"name", "bounds"}, {"values", std::move(bars)}}};
  page.content.emplace_back(Chart{"Before and after", caption, specification.dump()});
}

}  // namespace

void print_difference_page(const DifferenceReport& report, std::ostream& out) {
  Page page;
  page.title = "What changed";
  page.summary = difference_summary(report.difference) + ".";
  page.badge = report.difference.worse()           ? Badge{"worse", Badge::Tone::bad}
               : report.difference.entries.empty() ? Badge{"the same", Badge::Tone::neutral}
                                                   : Badge{"not worse", Badge::Tone::good};
  for (const auto& [when, result] : {std::pair("before", &report.before), std::pair("after", &report.after)})
    page.facts.emplace_back(when, fmt::format("{}: {}, {}", result->file, result->task_set, result->verdict));
  add_changes_chart(report.difference, page);
  for (const DifferenceSection& section : difference_sections(report))
    page.content.emplace_back(PageTable{std::string(section.title), difference_table(section)});
  embed("difference.json", print_difference_json, report, page);
  out << html(page);
}

}  // namespace rta::report
