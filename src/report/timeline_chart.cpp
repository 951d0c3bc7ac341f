#include "timeline_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "report/parts/times.hpp"
#include "report/parts/zoomed_time.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

// Places from the top are given; texts show where they fit at the zoom of the moment.
constexpr const char* specification = R"json({
  "$schema": "https://vega.github.io/schema/vega/v5.json", "padding": 5, "autosize": "pad",
  "signals": [{"name": "hover", "value": null, "on": [{"events": "@bar:mouseover, @mark:mouseover", "update": "datum.job"},
                                                      {"events": "@bar:mouseout, @mark:mouseout", "update": "null"}]}],
  "scales": [
    {"name": "x", "type": "linear", "range": "width", "zero": false, "nice": false, "domain": {"signal": "domainX"}}],
  "axes": [{"orient": "bottom", "scale": "x", "title": "time (ms)", "grid": true, "tickCount": {"signal": "max(3, width / 90)"}}],
  "marks": [
    {"type": "text", "name": "row", "style": "guide-label", "from": {"data": "rows"}, "encode": {"update": {
      "x": {"value": -8}, "y": {"signal": "(datum.top + datum.bottom) / 2"}, "align": {"value": "right"}, "baseline": {"value": "middle"},
      "text": {"field": "row"}, "fontStyle": {"signal": "datum.queue ? 'italic' : 'normal'"},
      "limit": {"signal": "width < 500 ? 110 : 180"}, "tooltip": {"field": "row"}}}},
    {"type": "group", "clip": true, "encode": {"update": {"width": {"signal": "width"}, "height": {"signal": "height"}, "fill": {"value": "transparent"}}},
     "marks": [
      {"type": "rule", "interactive": false, "from": {"data": "rows"}, "encode": {"update": {
        "x": {"value": 0}, "x2": {"signal": "width"}, "y": {"signal": "datum.bottom + 2.5"}, "stroke": {"value": "#999"}, "strokeOpacity": {"value": 0.35}}}},
      {"type": "rule", "interactive": false, "from": {"data": "links"}, "encode": {"update": {
        "x": {"scale": "x", "field": "at"}, "y": {"field": "from"}, "y2": {"field": "to"}, "stroke": {"field": "fill"}, "strokeWidth": {"value": 2}}}},
      {"type": "rect", "name": "bar", "from": {"data": "bars"}, "encode": {"update": {
        "x": {"scale": "x", "field": "start"}, "x2": {"signal": "max(scale('x', datum.end), scale('x', datum.start) + 1.5)"},
        "y": {"field": "top"}, "y2": {"field": "bottom"}, "fill": {"field": "fill"},
        "fillOpacity": {"signal": "(hover === null || hover === datum.job ? 1 : 0.25) * (datum.style === 'runs' ? 0.9 : datum.style === 'copies' ? 0.6 : 0.28)"},
        "stroke": {"signal": "datum.style === 'blocked' ? '#d55e00' : datum.style === 'runs' ? 'white' : datum.fill"},
        "strokeWidth": {"signal": "scale('x', datum.end) - scale('x', datum.start) < 6 ? (datum.style === 'runs' ? 0 : 0.5) : datum.style === 'blocked' ? 2 : datum.style === 'runs' ? 0.5 : 1"},
        "strokeDash": {"signal": "datum.style === 'waits' ? [3, 2] : []"},
        "tooltip": {"signal": "datum.tooltip + (datum.why ? '\\nwaits for ' + datum.why.waits : '')"}}}},
      {"type": "text", "name": "in", "interactive": false, "style": "guide-label", "from": {"data": "inked"}, "encode": {"update": {
        "x": {"signal": "(max(scale('x', datum.start), 0) + min(scale('x', datum.end), width)) / 2"}, "y": {"signal": "(datum.top + datum.bottom) / 2"},
        "align": {"value": "center"}, "baseline": {"value": "middle"}, "fontSize": {"value": 10}, "text": {"field": "text"}, "fill": {"field": "ink"},
        "opacity": {"signal": "datum.bottom - datum.top > 10 && min(scale('x', datum.end), width) - max(scale('x', datum.start), 0) > 4 + 6.2 * length(datum.text) ? 1 : 0"}}}},
      {"type": "text", "name": "on", "interactive": false, "style": "guide-label", "from": {"data": "pale"}, "encode": {"update": {
        "x": {"signal": "(max(scale('x', datum.start), 0) + min(scale('x', datum.end), width)) / 2"}, "y": {"signal": "(datum.top + datum.bottom) / 2"},
        "align": {"value": "center"}, "baseline": {"value": "middle"}, "fontSize": {"value": 10}, "text": {"field": "text"},
        "opacity": {"signal": "datum.bottom - datum.top > 10 && min(scale('x', datum.end), width) - max(scale('x', datum.start), 0) > 4 + 6.2 * length(datum.text) ? 1 : 0"}}}},
      {"type": "symbol", "name": "mark", "from": {"data": "marks"}, "encode": {"update": {
        "shape": {"signal": "datum.kind === 'release' ? 'triangle-up' : 'triangle-down'"}, "size": {"signal": "datum.kind === 'missed' ? 90 : 60"},
        "x": {"scale": "x", "field": "at"}, "y": {"field": "y"}, "fill": {"field": "fill"}, "stroke": {"value": "#555"}, "strokeWidth": {"value": 0.5},
        "tooltip": {"field": "tooltip"}}}},
      {"type": "text", "interactive": false, "style": "guide-label", "from": {"data": "marks"}, "encode": {"update": {
        "x": {"scale": "x", "field": "at", "offset": 7}, "y": {"field": "y"}, "baseline": {"value": "middle"}, "fontSize": {"value": 10},
        "text": {"field": "text"},
        "opacity": {"signal": "datum.next === null || scale('x', datum.next) - scale('x', datum.at) > 12 + 6.2 * length(datum.text) ? 1 : 0"}}}}]}]
})json";

std::string style_name(BarStyle style) {
  switch (style) {
    case BarStyle::runs: return "runs";
    case BarStyle::copies: return "copies";
    case BarStyle::waits: return "waits";
    case BarStyle::blocked: return "blocked";
  }
  return "";
}

std::string kind_name(MarkKind kind) {
  switch (kind) {
    case MarkKind::release: return "release";
    case MarkKind::deadline: return "deadline";
    case MarkKind::missed: return "missed";
  }
  return "";
}

Json filtered(const char* name, const char* condition) {
  return {{"name", name}, {"source", "bars"}, {"transform", Json::array({{{"type", "filter"}, {"expr", condition}}})}};
}

}  // namespace

std::string timeline_specification(const TimelineDrawing& drawing) {
  Json rows = Json::array(), bars = Json::array(), marks = Json::array(), links = Json::array();
  for (const DrawnRow& row : drawing.rows)
    rows.push_back({{"row", row.name}, {"top", row.top}, {"bottom", row.bottom}, {"queue", row.queue}});
  for (const DrawnBar& bar : drawing.bars) {
    bars.push_back({{"top", bar.top},
                    {"bottom", bar.bottom},
                    {"start", ms(bar.start)},
                    {"end", ms(bar.end)},
                    {"style", style_name(bar.style)},
                    {"fill", bar.fill},
                    {"ink", bar.ink},
                    {"text", bar.text},
                    {"job", bar.job},
                    {"tooltip", bar.tooltip}});
  }
  for (const DrawnMark& mark : drawing.marks) {
    marks.push_back({{"kind", kind_name(mark.kind)},
                     {"at", ms(mark.at)},
                     {"y", mark.y},
                     {"fill", mark.fill},
                     {"text", mark.text},
                     {"job", mark.job},
                     {"tooltip", mark.tooltip}});
  }
  for (const DrawnLink& link : drawing.links)
    links.push_back({{"at", ms(link.at)}, {"from", link.from}, {"to", link.to}, {"fill", link.fill}});
  std::map<std::string, std::string> waits;  // once per job
  for (const DrawnBar& bar : drawing.bars) {
    if (!bar.waits.empty()) waits.emplace(bar.job, bar.waits);
  }
  Json jobs = Json::array();
  for (const auto& [job, why] : waits) jobs.push_back({{"job", job}, {"waits", why}});
  Json names = Json::array(), fills = Json::array();
  std::size_t longest = 0;
  for (const auto& [name, fill] : drawing.legend) {
    longest = std::max(longest, name.size());
    names.push_back(name);
    fills.push_back(fill);
  }

  Json spec = Json::parse(specification);
  spec["height"] = drawing.height;
  if (drawing.height > 700) {  // taller than a screen: the times stand above, too
    Json above = spec["axes"][0];
    above["orient"] = "top";
    above["grid"] = false;
    spec["axes"].push_back(above);
  }
  if (names.size() > 1) {
    spec["scales"].push_back({{"name", "colour"}, {"type", "ordinal"}, {"domain", names}, {"range", fills}});
    spec["legends"] =
        Json::array({{{"fill", "colour"},
                      {"orient", "top"},
                      {"direction", "horizontal"},
                      {"columns", {{"signal", fmt::format("max(1, floor(width / {}))", 24 + std::min<std::size_t>(86, 8 * longest))}}},
                      {"symbolType", "square"},
                      {"labelLimit", 100}}});
  }
  const double room = 0.01 * (ms(drawing.last) - ms(drawing.first));  // for marks at both ends
  add_zoomed_time(spec, ms(drawing.first) - room, ms(drawing.last) + room);
  spec["data"] = Json::array(
      {{{"name", "rows"}, {"values", rows}},
       {{"name", "jobs"}, {"values", jobs}},
       {{"name", "bars"},
        {"values", bars},
        {"transform", Json::array({{{"type", "lookup"}, {"from", "jobs"}, {"key", "job"}, {"fields", {"job"}}, {"as", {"why"}}}})}},
       filtered("inked", "datum.style === 'runs'"),
       filtered("pale", "datum.style !== 'runs'"),
       {{"name", "marks"},
        {"values", marks},
        {"transform", Json::array({{{"type", "window"},
                                    {"groupby", {"y"}},
                                    {"sort", {{"field", "at"}}},
                                    {"ops", {"lead"}},
                                    {"fields", {"at"}},
                                    {"as", {"next"}}}})}},
       {{"name", "links"}, {"values", links}}});
  return spec.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Chart chart_of_timeline(std::string title, const std::string& before, const trace::Timeline& timeline,
                        const std::vector<trace::Waiting>& waiting) {
  const TimelineDrawing drawing = drawing_of(timeline, waiting);
  Chart chart{std::move(title), before + timeline_caption(timeline, drawing), timeline_specification(drawing)};
  if (drawing.folded) chart.other = Chart::Other{"Each SM", "SMs in one row", timeline_specification(drawing_of(timeline, waiting, true))};
  return chart;
}

}  // namespace rta::report
