#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "report/parts/series_colours.hpp"
#include "sweep_panels.hpp"
#include "sweep_printers.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* schema = "https://vega.github.io/schema/vega/v5.json";

// Curves with their bands; a click on a name in the legend picks that analysis out.
std::string line_chart(const Panels& panels, const Panel& panel, bool from_zero) {
  Json values = Json::array();
  for (const Curve& curve : panel.curves) {
    for (const auto& [first, end] : runs_of(curve)) {
      for (std::size_t i = first; i < end; ++i) {
        const CurvePoint& p = curve.points[i];
        Json x = p.text;
        if (panels.x.numeric) x = p.x;
        values.push_back(
            {{"analysis", curve.name}, {"run", first}, {"x", x}, {"y", p.y}, {"low", p.low}, {"high", p.high}, {"tooltip", p.tooltip}});
      }
    }
  }
  Json order = Json::array(), colours = Json::array(), dashes = Json::array();
  for (const Curve& curve : panel.curves) {
    order.push_back(curve.name);
    colours.push_back(curve_colour(curve.colour));
    dashes.push_back(curve_dashes(curve.colour));
  }
  const char* opacity = "chosen === null || chosen === datum.analysis ? {} : {}";
  const auto shown = [&](double yes, double no) { return Json{{"signal", fmt::format(fmt::runtime(opacity), yes, no)}}; };
  const Json x{{"scale", "x"}, {"field", "x"}};
  const Json colour{{"scale", "colour"}, {"field", "analysis"}};
  Json spec;
  spec["$schema"] = schema;
  spec["width"] = 900;
  spec["height"] = 320;
  spec["padding"] = 5;
  spec["signals"] = {
      {{"name", "chosen"},
       {"value", nullptr},
       {"on", {{{"events", "@names:click, @signs:click"}, {"update", "datum.value === chosen ? null : datum.value"}, {"force", true}}}}}};
  spec["data"] = {{{"name", "curves"}, {"values", values}}};
  Json x_scale{{"name", "x"}, {"range", "width"}, {"domain", {panels.least_x, panels.most_x}}};
  if (panels.x.numeric) {
    x_scale["type"] = "linear";
    x_scale["zero"] = false;
  } else {
    x_scale["type"] = "point";
    x_scale["padding"] = 0.5;
    x_scale["domain"] = panels.x.texts;
  }
  Json y_scale{{"name", "y"}, {"type", "linear"}, {"range", "height"}, {"nice", true}, {"zero", from_zero}};
  if (panels.logarithmic) {
    y_scale["type"] = "log";
    y_scale.erase("zero");
  }
  if (panels.y_label == "acceptance ratio") {
    y_scale["domain"] = {0, 1};
  } else {
    y_scale["domain"] = {panels.least_y, panels.most_y};
  }
  spec["scales"] = {x_scale,
                    y_scale,
                    {{"name", "colour"}, {"type", "ordinal"}, {"domain", order}, {"range", colours}},
                    {{"name", "dash"}, {"type", "ordinal"}, {"domain", order}, {"range", dashes}}};
  spec["axes"] = {{{"orient", "bottom"}, {"scale", "x"}, {"title", panels.x.label}},
                  {{"orient", "left"}, {"scale", "y"}, {"title", panels.y_label}, {"grid", true}, {"gridOpacity", 0.4}}};
  spec["legends"] = {
      {{"stroke", "colour"},
       {"strokeDash", "dash"},
       {"symbolType", "stroke"},
       {"symbolSize", 400},
       {"orient", "bottom"},
       {"direction", "horizontal"},
       {"columns", {{"signal", "max(1, floor(width / 160))"}}},
       {"encode", {{"labels", {{"name", "names"}, {"interactive", true}}}, {"symbols", {{"name", "signs"}, {"interactive", true}}}}}}};
  Json area{{"type", "area"}, {"from", {{"data", "one"}}}, {"interactive", false}};
  area["encode"]["update"] = {{"x", x},
                              {"y", {{"scale", "y"}, {"field", "low"}}},
                              {"y2", {{"scale", "y"}, {"field", "high"}}},
                              {"fill", colour},
                              {"fillOpacity", shown(0.14, 0.02)}};
  Json line{{"type", "line"}, {"from", {{"data", "one"}}}, {"interactive", false}};
  line["encode"]["update"] = {{"x", x},
                              {"y", {{"scale", "y"}, {"field", "y"}}},
                              {"stroke", colour},
                              {"strokeDash", {{"scale", "dash"}, {"field", "analysis"}}},
                              {"strokeWidth", {{"value", 2}}},
                              {"opacity", shown(1, 0.15)}};
  Json symbol{{"type", "symbol"}, {"from", {{"data", "one"}}}};
  symbol["encode"]["update"] = {{"x", x},
                                {"y", {{"scale", "y"}, {"field", "y"}}},
                                {"fill", colour},
                                {"size", {{"value", 45}}},
                                {"opacity", shown(1, 0.15)},
                                {"tooltip", {{"field", "tooltip"}}}};
  symbol["encode"]["hover"] = {{"size", {{"value", 110}}}};
  Json group{{"type", "group"}, {"from", {{"facet", {{"name", "one"}, {"data", "curves"}, {"groupby", {"analysis", "run"}}}}}}};
  group["marks"] = {area, line, symbol};
  spec["marks"] = {group};
  return spec.dump();
}

std::string heat_chart(const SweepAxis& x, const SweepAxis& y, const HeatMap& map) {
  Json values = Json::array();
  for (const HeatCell& cell : map.cells) {
    values.push_back({{"x", cell.x},
                      {"y", cell.y},
                      {"acceptance", cell.acceptance},
                      {"tooltip", fmt::format("{} = {}, {} = {}: {:.2f} %", x.label, cell.x, y.label, cell.y, 100 * cell.acceptance)}});
  }
  Json rows = Json::array();
  for (auto text = y.texts.rbegin(); text != y.texts.rend(); ++text) rows.push_back(*text);
  Json spec;
  spec["$schema"] = schema;
  spec["width"] = 900;
  spec["height"] = 260;
  spec["padding"] = 5;
  spec["data"] = {{{"name", "cells"}, {"values", values}}};
  spec["scales"] = {{{"name", "x"}, {"type", "band"}, {"domain", x.texts}, {"range", "width"}},
                    {{"name", "y"}, {"type", "band"}, {"domain", rows}, {"range", "height"}},
                    {{"name", "colour"}, {"type", "linear"}, {"domain", {0, 1}}, {"range", {{"scheme", "viridis"}}}}};
  spec["axes"] = {{{"orient", "bottom"}, {"scale", "x"}, {"title", x.label}}, {{"orient", "left"}, {"scale", "y"}, {"title", y.label}}};
  spec["legends"] = {
      {{"fill", "colour"}, {"type", "gradient"}, {"title", "acceptance ratio"}, {"orient", "bottom"}, {"direction", "horizontal"}}};
  Json rect{{"type", "rect"}, {"from", {{"data", "cells"}}}};
  rect["encode"]["update"] = {{"x", {{"scale", "x"}, {"field", "x"}}},
                              {"width", {{"scale", "x"}, {"band", 1}}},
                              {"y", {{"scale", "y"}, {"field", "y"}}},
                              {"height", {{"scale", "y"}, {"band", 1}}},
                              {"fill", {{"scale", "colour"}, {"field", "acceptance"}}},
                              {"tooltip", {{"field", "tooltip"}}}};
  spec["marks"] = {rect};
  return spec.dump();
}

}  // namespace

Page sweep_page(const sweep::Results& sweep) {
  Page page;
  page.title = "Sweep " + sweep.name;
  page.summary = fmt::format("{} random task sets at {} point{}, {} analys{} each", sweep.sets, sweep.points, sweep.points == 1 ? "" : "s",
                             sweep.analyses.size(), sweep.analyses.size() == 1 ? "is" : "es");
  for (std::size_t k = 0; k < sweep.parameters.size(); ++k) {
    std::string texts;
    for (const std::string& text : axis_of(sweep, k).texts) texts += (texts.empty() ? "" : ", ") + text;
    page.facts.emplace_back(sweep.parameters[k], texts);
  }
  if (const auto along = curve_parameter(sweep)) {
    const auto add = [&](SweepChart chart, const std::string& title, const std::string& caption) {
      const Panels panels = panels_of(sweep, chart, *along);
      for (const Panel& panel : panels.panels) {
        page.content.emplace_back(Chart{panel.title.empty() ? title : title + ": " + panel.title, caption,
                                        line_chart(panels, panel, chart == SweepChart::acceptance)});
      }
    };
    add(SweepChart::acceptance, "Acceptance ratio", "Share of the task sets that are schedulable, with its 95 % interval (Wilson).");
    add(SweepChart::bounds, "Bounds",
        "End-to-end bound relative to the period, mean over a set's DAGs: median and 90 % of the sets that have bounds. The sets differ "
        "from "
        "analysis to analysis where one bounds more of them.");
    add(SweepChart::ratios, "Ratio of bounds",
        "Mean end-to-end bound relative to the first analysis, over the sets that both bound: median and 90 %.");
    add(SweepChart::tightness, "Bound over observed",
        "End-to-end bound relative to the largest simulated response, mean over a set's DAGs: median and 90 % of the simulated sets.");
    if (const auto across = heat_parameter(sweep, *along)) {
      for (const HeatMap& map : heat_maps(sweep, *along, *across)) {
        page.content.emplace_back(
            Chart{"Acceptance ratio of " + map.title, "", heat_chart(axis_of(sweep, *along), axis_of(sweep, *across), map)});
      }
    }
  }
  PageTable weighted{"Weighted schedulability", sweep.weighted};
  if (!weighted.rows.empty()) {
    for (std::string& head : weighted.rows.front()) std::ranges::replace(head, '_', ' ');
  }
  page.content.emplace_back(std::move(weighted));
  PageTable table{"Numbers", {sweep.parameters}};
  for (const char* column : {"analysis", "sets", "accepted", "low", "high", "bound/T p50", "bound/T p95"})
    table.rows.front().emplace_back(column);
  for (const sweep::SummaryEntry& e : sweep.entries) {
    table.rows.push_back(e.values);
    auto& row = table.rows.back();
    row.push_back(e.analysis);
    row.push_back(std::to_string(e.sets));
    for (double share : {e.acceptance, e.low, e.high}) row.push_back(fmt::format("{:.4f}", share));
    row.push_back(e.over_period ? fmt::format("{:.4f}", e.over_period->p50) : "");
    row.push_back(e.over_period ? fmt::format("{:.4f}", e.over_period->p95) : "");
  }
  page.content.emplace_back(std::move(table));
  return page;
}

void print_sweep_page(const sweep::Results& results, std::ostream& out) {
  Page page = sweep_page(results);
  embed("summary.csv", print_sweep_csv, results, page);
  out << html(page);
}

}  // namespace rta::report
