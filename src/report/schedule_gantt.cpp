#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "report/parts/series_colours.hpp"
#include "report/parts/times.hpp"
#include "report/parts/zoomed_time.hpp"
#include "rta/report/time_text.hpp"
#include "schedule_printers.hpp"
#include "schedule_words.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;
using static_order::HyperepochProof;
using static_order::ScheduledHyperepoch;
using static_order::ScheduledRunnable;

constexpr std::size_t most_bars = 10'000;
constexpr std::size_t most_arcs = 60'000;

// A row per resource; what waits for the bar under the pointer, and what that waits for, stands out with lines between them.
constexpr const char* gantt_chart = R"json({
  "$schema": "https://vega.github.io/schema/vega/v5.json", "padding": 5, "autosize": "pad",
  "signals": [{"name": "hover", "value": null, "on": [{"events": "@bar:mouseover", "update": "datum.id"}, {"events": "@bar:mouseout", "update": "null"}]}],
  "scales": [
    {"name": "x", "type": "linear", "range": "width", "zero": false, "nice": false, "domain": {"signal": "domainX"}},
    {"name": "row", "type": "band", "range": "height", "padding": 0.12, "domain": {"data": "rows", "field": "row"}},
    {"name": "colour", "type": "ordinal"}],
  "axes": [
    {"orient": "bottom", "scale": "x", "title": "time (ms)", "grid": true, "tickCount": {"signal": "max(3, width / 90)"}},
    {"orient": "left", "scale": "row", "labelLimit": 140}],
  "legends": [{"fill": "colour", "orient": "top", "direction": "horizontal", "columns": {"signal": "max(1, floor(width / 140))"}, "symbolType": "square"}],
  "marks": [
    {"type": "group", "clip": true, "encode": {"update": {"width": {"signal": "width"}, "height": {"signal": "height"}, "fill": {"value": "transparent"}}},
     "marks": [
      {"type": "rule", "from": {"data": "frames"}, "encode": {"update": {
        "x": {"scale": "x", "field": "at"}, "y": {"value": 0}, "y2": {"signal": "height"}, "stroke": {"value": "#888"}, "strokeDash": {"value": [3, 3]},
        "tooltip": {"field": "label"}}}},
      {"type": "rect", "name": "bar", "from": {"data": "bars"}, "encode": {"update": {
        "x": {"scale": "x", "field": "start"}, "x2": {"signal": "max(scale('x', datum.end), scale('x', datum.start) + 1)"},
        "y": {"signal": "scale('row', datum.row) + bandwidth('row') * datum.low"},
        "y2": {"signal": "scale('row', datum.row) + bandwidth('row') * datum.high"},
        "fill": {"scale": "colour", "field": "client"},
        "fillOpacity": {"signal": "(hover === null || hover === datum.id || indata('shown', 'from', datum.id) || indata('shown', 'to', datum.id) ? 0.85 : 0.2) * (datum.waits ? 0.3 : 1)"},
        "stroke": {"signal": "hover === datum.id ? '#d62728' : datum.waits ? scale('colour', datum.client) : 'white'"},
        "strokeWidth": {"signal": "hover === datum.id ? 2 : datum.waits ? 1 : 0.5"}, "strokeDash": {"signal": "datum.waits ? [3, 2] : []"},
        "tooltip": {"field": "label"}}}},
      {"type": "rect", "interactive": false, "from": {"data": "observed"}, "encode": {"update": {
        "x": {"scale": "x", "field": "start"}, "x2": {"scale": "x", "field": "end"},
        "y": {"signal": "scale('row', datum.row) + bandwidth('row') * 0.72"}, "y2": {"signal": "scale('row', datum.row) + bandwidth('row') * 0.95"},
        "fill": {"value": "var(--ink)"}, "stroke": {"value": "var(--page)"}, "strokeWidth": {"value": 0.5}}}},
      {"type": "text", "interactive": false, "from": {"data": "bars"}, "encode": {"update": {
        "x": {"signal": "(scale('x', datum.start) + scale('x', datum.end)) / 2"},
        "y": {"signal": "scale('row', datum.row) + bandwidth('row') * (datum.low + datum.high) / 2"},
        "align": {"value": "center"}, "baseline": {"value": "middle"}, "fontSize": {"value": 10}, "fill": [{"test": "datum.ink", "field": "ink"}, {"value": "#777"}], "text": {"field": "short"},
        "opacity": {"signal": "bandwidth('row') * (datum.high - datum.low) > 10 && scale('x', datum.end) - scale('x', datum.start) > 6 * length(datum.short) ? 1 : 0"}}}},
      {"type": "rule", "interactive": false, "from": {"data": "shown"}, "encode": {"update": {
        "x": {"scale": "x", "field": "x"}, "x2": {"scale": "x", "field": "x2"},
        "y": {"signal": "scale('row', datum.row) + bandwidth('row') / 2"}, "y2": {"signal": "scale('row', datum.row2) + bandwidth('row') / 2"},
        "stroke": {"signal": "datum.decides ? '#d62728' : '#777'"}, "strokeWidth": {"signal": "datum.decides ? 2 : 1"}}}}]}]
})json";

// Bars of one row that overlap stand side by side: the lane of each, and how many there are.
struct Lanes {
  std::vector<std::size_t> of;
  std::size_t count = 1;
};

Lanes lanes_of(const std::vector<std::pair<Time, Time>>& bars) {
  Lanes lanes;
  std::vector<Time> free;
  for (const auto& [start, end] : bars) {  // in the order of their starts
    std::size_t lane = 0;
    while (lane < free.size() && free[lane] > start) ++lane;
    if (lane == free.size()) free.push_back(end);
    free[lane] = std::max(free[lane], end);
    lanes.of.push_back(lane);
  }
  lanes.count = std::max<std::size_t>(1, free.size());
  return lanes;
}

std::string label(const ScheduledHyperepoch& h, const HyperepochReport& report, std::size_t id) {
  const ScheduledRunnable& r = h.runnables[id];
  const auto& proof = report.proof->runnables[id];
  std::string text = fmt::format("{}\n{} to {}, WCET {}\n{}", runnable_name(h, id), time_text(proof.start), time_text(proof.end),
                                 time_text(r.wcet), resource_names(h, r));
  if (r.deadline) text += fmt::format("\ndeadline {}", time_text(*r.deadline));
  if (proof.slack) text += fmt::format("\nslack {}", time_text(*proof.slack));
  if (proof.decision.by != static_order::Decision::By::release)
    text += fmt::format("\nwaits for {} ({})", runnable_name(h, proof.decision.predecessor), decision_text(h, proof.decision));
  if (id < report.observed.size() && report.observed[id])
    text += fmt::format("\nobserved {} to {}", time_text(report.observed[id]->earliest_start), time_text(report.observed[id]->latest_end));
  return text;
}

std::string waiting_label(const ScheduledHyperepoch& h, const HyperepochReport& report, std::size_t id, const std::string& stream,
                          Time from) {
  const auto& proof = report.proof->runnables[id];
  std::string text = fmt::format("{} waits in {}\n{} to {}", runnable_name(h, id), stream, time_text(from), time_text(proof.start));
  if (proof.decision.by != static_order::Decision::By::release)
    text += fmt::format("\nwaits for {} ({})", runnable_name(h, proof.decision.predecessor), decision_text(h, proof.decision));
  return text;
}

// What stands in a row: a runnable at work or, in that of its stream, waiting for its turn.
struct GanttBar {
  std::size_t id = 0;
  Time start, end;
  bool waits = false;
};

// Of each row: its bars in the order of their starts.
std::vector<std::vector<GanttBar>> rows_of(const ScheduledHyperepoch& h, const HyperepochProof& proof) {
  std::vector<std::vector<GanttBar>> rows(h.resources.size());
  std::size_t bars = 0;
  const auto add = [&](std::size_t row, const GanttBar& bar) {
    if (++bars <= most_bars) rows[row].push_back(bar);
  };
  for (std::size_t id = 0; id < h.runnables.size(); ++id) {
    const ScheduledRunnable& runnable = h.runnables[id];
    for (const std::size_t r : runnable.resources) add(r, {id, proof.runnables[id].start, proof.runnables[id].end});
    for (const std::size_t submitted : runnable.submits) {
      const auto& stream = h.runnables[submitted].stream;
      const bool overlaps = std::ranges::find(h.runnables[submitted].after_start, id) != h.runnables[submitted].after_start.end();
      const Time from = overlaps ? proof.runnables[id].start : proof.runnables[id].end;
      if (stream && proof.runnables[submitted].start > from) add(*stream, {submitted, from, proof.runnables[submitted].start, true});
    }
  }
  for (auto& row : rows) std::ranges::stable_sort(row, {}, &GanttBar::start);
  return rows;
}

std::string client_of(const ScheduledRunnable& runnable) { return runnable.client.empty() ? runnable.name : runnable.client; }

// The schedule's clients in its order, so that each has one colour in the charts of all hyperepochs, then those that are their own.
std::map<std::string, SeriesColour> colours_of(const ScheduledHyperepoch& h, const std::vector<std::string>& clients) {
  std::map<std::string, SeriesColour> colours;
  for (std::size_t i = 0; i < clients.size(); ++i) colours.emplace(clients[i], series_colour(i));
  for (const ScheduledRunnable& runnable : h.runnables) {
    if (!runnable.resources.empty()) colours.emplace(client_of(runnable), series_colour(colours.size()));
  }
  return colours;
}

Json arcs_of(const ScheduledHyperepoch& h, const HyperepochProof& proof) {
  Json arcs = Json::array();
  for (std::size_t id = 0; id < h.runnables.size(); ++id) {
    const ScheduledRunnable& r = h.runnables[id];
    if (r.resources.empty()) continue;
    for (const auto* list : {&r.after, &r.after_start}) {
      for (const std::size_t before : *list) {
        if (h.runnables[before].resources.empty() || arcs.size() >= most_arcs) continue;
        const bool starts = list == &r.after_start;
        arcs.push_back({{"from", before},
                        {"to", id},
                        {"x", ms(starts ? proof.runnables[before].start : proof.runnables[before].end)},
                        {"x2", ms(proof.runnables[id].start)},
                        {"row", h.resources[h.runnables[before].resources.front()].name},
                        {"row2", h.resources[r.resources.front()].name},
                        {"decides", proof.runnables[id].decision.predecessor == before &&
                                        proof.runnables[id].decision.by != static_order::Decision::By::release}});
      }
    }
  }
  return arcs;
}

}  // namespace

std::string gantt_specification(const ScheduledHyperepoch& h, const HyperepochReport& report, const std::vector<std::string>& clients) {
  const HyperepochProof& proof = *report.proof;
  Json rows = Json::array();
  Json bars = Json::array();
  Json observed = Json::array();
  const auto colours = colours_of(h, clients);
  std::set<std::string> seen;
  const auto bars_of_rows = rows_of(h, proof);
  std::size_t height = 0;
  for (std::size_t r = 0; r < h.resources.size(); ++r) {
    rows.push_back({{"row", h.resources[r].name}});
    std::vector<std::pair<Time, Time>> times;
    times.reserve(bars_of_rows[r].size());
    for (const GanttBar& bar : bars_of_rows[r]) times.emplace_back(bar.start, bar.end);
    const Lanes lanes = lanes_of(times);
    height = std::max(height, lanes.count);
    const double share = 1.0 / static_cast<double>(lanes.count);
    for (std::size_t i = 0; i < bars_of_rows[r].size(); ++i) {
      const GanttBar& bar = bars_of_rows[r][i];
      const ScheduledRunnable& runnable = h.runnables[bar.id];
      const std::string client = client_of(runnable);
      seen.insert(client);
      Json drawn{{"id", bar.id},
                 {"row", h.resources[r].name},
                 {"low", static_cast<double>(lanes.of[i]) * share},
                 {"high", static_cast<double>(lanes.of[i] + 1) * share},
                 {"start", ms(bar.start)},
                 {"end", ms(bar.end)},
                 {"client", client},
                 {"short", runnable.name},
                 {"label", bar.waits ? waiting_label(h, report, bar.id, h.resources[r].name, bar.start) : label(h, report, bar.id)}};
      if (bar.waits) {
        drawn["waits"] = true;
      } else {
        drawn["ink"] = colours.at(client).text;
      }
      bars.push_back(std::move(drawn));
      if (!bar.waits && bar.id < report.observed.size() && report.observed[bar.id])
        observed.push_back({{"row", h.resources[r].name},
                            {"start", ms(report.observed[bar.id]->earliest_start)},
                            {"end", ms(report.observed[bar.id]->latest_end)}});
    }
  }
  Json frames = Json::array();
  for (const static_order::FrameProof& frame : proof.frames) {
    frames.push_back({{"at", ms(frame.start)},
                      {"label", fmt::format("{} frame {}\nstarts at {}\nends by {}", h.epochs[frame.epoch].name, frame.frame,
                                            time_text(frame.start), time_text(frame.end))}});
  }
  Json spec = Json::parse(gantt_chart);
  for (const std::string& client : seen) {
    spec["scales"][2]["domain"].push_back(client);
    spec["scales"][2]["range"].push_back(colours.at(client).fill);
  }
  spec["height"] = std::max<std::size_t>(h.resources.size(), 1) * std::clamp<std::size_t>(height * 14, 28, 84);
  add_zoomed_time(spec, 0, std::max(ms(proof.length), 1e-6));
  spec["data"] = Json::array(
      {{{"name", "rows"}, {"values", rows}},
       {{"name", "bars"}, {"values", bars}},
       {{"name", "observed"}, {"values", observed}},
       {{"name", "frames"}, {"values", frames}},
       {{"name", "arcs"}, {"values", arcs_of(h, proof)}},
       {{"name", "shown"},
        {"source", "arcs"},
        {"transform", Json::array({{{"type", "filter"}, {"expr", "hover !== null && (datum.from === hover || datum.to === hover)"}}})}}});
  return spec.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace rta::report
