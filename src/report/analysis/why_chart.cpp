#include "why_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "report/parts/colours.hpp"
#include "report/parts/times.hpp"
#include "rta/report/time_text.hpp"
#include "why_words.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* parts_specification = R"json({
  "$schema": "https://vega.github.io/schema/vega/v5.json", "padding": 5, "autosize": "pad",
  "signals": [{"name": "width", "value": 900}],
  "scales": [
    {"name": "x", "type": "linear", "range": "width", "nice": true, "zero": true, "domain": {"fields": [{"data": "parts", "field": "to"}, {"data": "deadlines", "field": "deadline"}]}},
    {"name": "row", "type": "band", "range": "height", "padding": 0.25, "domain": {"data": "parts", "field": "dag"}},
    {"name": "colour", "type": "ordinal"}],
  "axes": [
    {"orient": "bottom", "scale": "x", "title": "parts of the end-to-end bound (ms)", "grid": true, "gridOpacity": 0.4},
    {"orient": "left", "scale": "row", "labelLimit": 260}],
  "legends": [{"fill": "colour", "orient": "bottom", "direction": "horizontal", "symbolType": "square"}],
  "marks": [
    {"type": "rect", "from": {"data": "parts"}, "encode": {"update": {
      "x": {"scale": "x", "field": "from"}, "x2": {"scale": "x", "field": "to"}, "y": {"scale": "row", "field": "dag"}, "height": {"scale": "row", "band": 1},
      "fill": {"scale": "colour", "field": "cause"}, "stroke": {"value": "var(--page)"}, "strokeWidth": {"value": 0.5}, "tooltip": {"field": "label"}}}},
    {"type": "rule", "from": {"data": "deadlines"}, "encode": {"update": {
      "x": {"scale": "x", "field": "deadline"}, "y": {"signal": "scale('row', datum.dag) - 3"}, "y2": {"signal": "scale('row', datum.dag) + bandwidth('row') + 3"},
      "stroke": {"value": "var(--ink)"}, "strokeWidth": {"value": 3}, "tooltip": {"field": "label"}}}}]
})json";

/// Bound minus deadline; a DAG without one comes after those that have one.
Wide lateness(const analysis::Proof& proof, const analysis::Why& why) {
  const auto D = proof.task_set->dags()[why.dag].deadline();
  return D ? Wide{proof.dags[why.dag].bound->R.count()} - D->count() : -(Wide{1} << 64);
}

std::string part_label(const analysis::Proof& proof, const std::string& dag, const analysis::BoundPart& part) {
  std::string text = fmt::format("{}: {} {}", dag, to_string(part.cause), time_text(part.length));
  if (part.pool) text += fmt::format("\non {}", proof.task_set->pools()[*part.pool].name);
  if (part.by) text += fmt::format("\nfor {}", proof.task_set->dags()[*part.by].name());
  return text;
}

}  // namespace

std::optional<Chart> why_chart(const analysis::Analysis& analysis) {
  if (analysis.whys.empty()) return std::nullopt;
  const analysis::Proof& proof = analysis.proof;
  std::vector<const analysis::Why*> whys;
  whys.reserve(analysis.whys.size());
  for (const analysis::Why& why : analysis.whys) whys.push_back(&why);
  std::ranges::stable_sort(whys, [&](const auto* a, const auto* b) { return lateness(proof, *a) > lateness(proof, *b); });
  std::set<analysis::Cause> seen;
  Json parts = Json::array();
  Json deadlines = Json::array();
  for (const analysis::Why* why : whys) {
    const Dag& dag = proof.task_set->dags()[why->dag];
    Time from;
    for (const analysis::BoundPart& part : why->parts) {
      if (part.length == Time::zero()) continue;
      const Time to = from + part.length;
      seen.insert(part.cause);
      parts.push_back({{"dag", dag.name()},
                       {"cause", to_string(part.cause)},
                       {"from", ms(from)},
                       {"to", ms(to)},
                       {"label", part_label(proof, dag.name(), part)}});
      from = to;
    }
    if (dag.deadline()) {
      deadlines.push_back({{"dag", dag.name()},
                           {"deadline", ms(*dag.deadline())},
                           {"label", fmt::format("{}: deadline {}", dag.name(), time_text(*dag.deadline()))}});
    }
  }
  Json specification = Json::parse(parts_specification);
  for (const analysis::Cause cause : seen) {
    specification["scales"][2]["domain"].push_back(to_string(cause));
    specification["scales"][2]["range"].push_back(cause_colour(cause).fill);
  }
  specification["height"] = std::max(40.0, 26.0 * static_cast<double>(whys.size()));
  specification["data"] = {{{"name", "parts"}, {"values", std::move(parts)}}, {{"name", "deadlines"}, {"values", std::move(deadlines)}}};
  std::string caption = "Parts of the bounds, the latest DAG first; a line marks a deadline.";
  if (const std::string others = left_out_in_words(analysis); !others.empty()) caption += " " + others + ".";
  return Chart{"Where the time goes", caption, specification.dump()};
}

}  // namespace rta::report
