#include "timeline_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

double ms(Time time) { return static_cast<double>(time.count()) / 1e6; }

std::string unit_name(PoolKind kind) {
  switch (kind) {
    case PoolKind::cpu: return "CPU";
    case PoolKind::gpu: return "SM";
    case PoolKind::engines: return "engine";
    case PoolKind::workers: return "worker";
  }
  return "";
}

// Drawn like the papers' figures: a row per SM, as high as its G-threads; rectangles are blocks; triangles are releases. The wheel zooms,
// dragging moves, a double click shows all.
constexpr const char* specification = R"json({
  "$schema": "https://vega.github.io/schema/vega/v5.json", "padding": 5, "autosize": "pad",
  "signals": [
    {"name": "width", "value": 900},
    {"name": "hover", "value": null, "on": [{"events": "@bar:mouseover", "update": "datum.job"}, {"events": "@bar:mouseout", "update": "null"}]},
    {"name": "down", "value": null, "on": [
      {"events": "mousedown", "update": "xy()"}, {"events": "window:mouseup", "update": "null"}]},
    {"name": "held", "value": null, "on": [{"events": "mousedown", "update": "slice(domainX)"}]},
    {"name": "moved", "value": 0, "on": [
      {"events": [{"source": "window", "type": "mousemove", "consume": true,
        "between": [{"type": "mousedown"}, {"source": "window", "type": "mouseup"}]}],
       "update": "down ? down[0] - x() : 0"}]},
    {"name": "anchor", "value": 0, "on": [{"events": "wheel", "update": "invert('x', x())"}]},
    {"name": "zoom", "value": 1, "on": [{"events": "wheel!", "force": true, "update": "pow(1.001, event.deltaY * pow(16, event.deltaMode))"}]},
    {"name": "domainX", "update": "whole", "on": [
      {"events": {"signal": "moved"}, "update": "held ? [held[0] + span(held) * moved / width, held[1] + span(held) * moved / width] : domainX"},
      {"events": {"signal": "zoom"}, "update": "[anchor + (domainX[0] - anchor) * zoom, anchor + (domainX[1] - anchor) * zoom]"},
      {"events": "dblclick", "update": "whole"}]}],
  "scales": [
    {"name": "x", "type": "linear", "range": "width", "zero": false, "nice": false, "domain": {"signal": "domainX"}},
    {"name": "row", "type": "band", "range": "height", "padding": 0.08, "domain": {"data": "rows", "field": "row"}},
    {"name": "colour", "type": "ordinal", "range": "category", "domain": {"data": "bars", "field": "task", "sort": true}}],
  "axes": [
    {"orient": "bottom", "scale": "x", "title": "time (ms)", "grid": true, "tickCount": 10},
    {"orient": "left", "scale": "row", "labelLimit": 180}],
  "marks": [
    {"type": "group", "clip": true, "encode": {"update": {"width": {"signal": "width"}, "height": {"signal": "height"}, "fill": {"value": "transparent"}}},
     "marks": [
      {"type": "rect", "name": "bar", "from": {"data": "bars"}, "encode": {"update": {
        "x": {"scale": "x", "field": "start"}, "x2": {"scale": "x", "field": "end"},
        "y": {"signal": "scale('row', datum.row) + bandwidth('row') * (1 - datum.high)"},
        "y2": {"signal": "scale('row', datum.row) + bandwidth('row') * (1 - datum.low)"},
        "fill": {"scale": "colour", "field": "task"},
        "fillOpacity": {"signal": "hover === null || hover === datum.job ? 0.85 : 0.25"},
        "stroke": {"value": "white"}, "strokeWidth": {"value": 0.5}, "tooltip": {"field": "label"}}}},
      {"type": "text", "interactive": false, "from": {"data": "bars"}, "encode": {"update": {
        "x": {"signal": "(scale('x', datum.start) + scale('x', datum.end)) / 2"},
        "y": {"signal": "scale('row', datum.row) + bandwidth('row') * (1 - (datum.low + datum.high) / 2)"},
        "align": {"value": "center"}, "baseline": {"value": "middle"}, "fontSize": {"value": 10}, "text": {"field": "short"},
        "opacity": {"signal": "bandwidth('row') * (datum.high - datum.low) > 10 && scale('x', datum.end) - scale('x', datum.start) > 6 * length(datum.short) ? 1 : 0"}}}},
      {"type": "symbol", "from": {"data": "releases"}, "encode": {"update": {
        "shape": {"value": "triangle-up"}, "size": {"value": 60}, "x": {"scale": "x", "field": "at"},
        "y": {"signal": "scale('row', 'releases') + bandwidth('row') / 2"},
        "fill": {"scale": "colour", "field": "task"}, "tooltip": {"field": "label"}}}}]}]
})json";

}  // namespace

std::string timeline_specification(const trace::Timeline& timeline) {
  const trace::Labels& labels = timeline.labels();
  std::map<std::pair<PoolId, std::uint32_t>, std::string> units;
  double first = 0, last = 0;
  Json bars = Json::array();
  for (const trace::Bar& bar : timeline.bars()) {
    const auto& dag = labels.dags[bar.id.dag];
    const auto& node = dag.nodes[bar.id.node];
    const std::string row = fmt::format("{} {} {}", labels.pools[bar.pool].name, unit_name(labels.pools[bar.pool].kind), bar.unit);
    units[{bar.pool, bar.unit}] = row;
    const double height = timeline.height(bar.pool);
    const std::string block = bar.has_block ? fmt::format(", block {}", bar.block) : "";
    if (bars.empty() || ms(bar.start) < first) first = ms(bar.start);
    last = std::max(last, ms(bar.end));
    bars.push_back({{"row", row},
                    {"low", bar.low / height},
                    {"high", bar.high / height},
                    {"start", ms(bar.start)},
                    {"end", ms(bar.end)},
                    {"task", labels.dags.size() > 1 ? dag.name : node.name},
                    {"job", fmt::format("{}/{}/{}", bar.id.dag, bar.id.node, bar.id.job)},
                    {"short", bar.has_block ? fmt::format("{}: {}", node.name, bar.block) : node.name},
                    {"label", fmt::format("{}/{} job {}{}\n{} to {}\n{}", dag.name, node.name, bar.id.job, block, time_text(bar.start),
                                          time_text(bar.end), row)}});
  }
  Json releases = Json::array();
  for (const trace::Release& r : timeline.releases()) {
    const auto& dag = labels.dags[r.id.dag];
    releases.push_back(
        {{"at", ms(r.at)},
         {"task", labels.dags.size() > 1 ? dag.name : dag.nodes[r.id.node].name},
         {"label", fmt::format("{}/{} job {} released at {}", dag.name, dag.nodes[r.id.node].name, r.id.job, time_text(r.at))}});
  }
  Json rows = Json::array();
  for (const auto& [key, name] : units) rows.push_back({{"row", name}});
  rows.push_back({{"row", "releases"}});

  Json spec = Json::parse(specification);
  const std::size_t row_height = units.size() > 24 ? 18 : units.size() > 8 ? 32 : 90;
  spec["height"] = row_height * rows.size();
  spec["signals"].insert(spec["signals"].begin(), Json{{"name", "whole"}, {"value", {first, std::max(last, first + 1e-6)}}});
  spec["data"] = Json::array(
      {{{"name", "rows"}, {"values", rows}}, {{"name", "bars"}, {"values", bars}}, {{"name", "releases"}, {"values", releases}}});
  return spec.dump();
}

}  // namespace rta::report
