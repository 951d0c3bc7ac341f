#include "timeline_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "rta/report/time_text.hpp"
#include "zoomed_time.hpp"

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

// Drawn like the papers' figures: a row per SM, as high as its G-threads; rectangles are blocks; triangles are releases.
constexpr const char* specification = R"json({
  "$schema": "https://vega.github.io/schema/vega/v5.json", "padding": 5, "autosize": "pad",
  "signals": [{"name": "hover", "value": null, "on": [{"events": "@bar:mouseover", "update": "datum.job"}, {"events": "@bar:mouseout", "update": "null"}]}],
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
  add_zoomed_time(spec, first, std::max(last, first + 1e-6));
  spec["data"] = Json::array(
      {{{"name", "rows"}, {"values", rows}}, {{"name", "bars"}, {"values", bars}}, {{"name", "releases"}, {"values", releases}}});
  return spec.dump();
}

}  // namespace rta::report
