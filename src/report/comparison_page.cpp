#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "chain_table.hpp"
#include "comparison_printers.hpp"
#include "late_words.hpp"
#include "report/parts/colours.hpp"
#include "report/parts/page.hpp"
#include "report/parts/times.hpp"
#include "rta/model/error.hpp"
#include "rta/report/time_text.hpp"
#include "timeline_chart.hpp"
#include "timeline_figure.hpp"
#include "wait_table.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

// At most this many steps of a distribution function are drawn; the largest value always is.
constexpr std::size_t curve_points = 400;

/// One line of a chart of distributions.
struct ResponseCurve {
  std::string name;
  std::vector<Time> sorted;
  std::optional<Time> bound;
  std::string_view colour;
  std::vector<int> dash = {};  // empty: none
};

void add_curve(const ResponseCurve& curve, Json& values) {
  const std::size_t n = curve.sorted.size();
  const std::size_t step = std::max<std::size_t>(1, n / curve_points);
  values.push_back({{"curve", curve.name}, {"ms", ms(curve.sorted.front())}, {"share", 0}});
  for (std::size_t i = step - 1; i < n; i += step)
    values.push_back({{"curve", curve.name}, {"ms", ms(curve.sorted[i])}, {"share", static_cast<double>(i + 1) / static_cast<double>(n)}});
  values.push_back({{"curve", curve.name}, {"ms", ms(curve.sorted.back())}, {"share", 1}});
}

/// Whether times differ so much that only their logarithms can be told apart.
bool far_apart(const std::vector<ResponseCurve>& curves) {
  constexpr std::int64_t far = 20;
  std::optional<Time> least;
  Time most = Time::zero();
  for (const ResponseCurve& curve : curves) {
    if (curve.sorted.empty()) continue;
    least = std::min(least.value_or(curve.sorted.front()), curve.sorted.front());
    most = std::max({most, curve.sorted.back(), curve.bound.value_or(Time::zero())});
  }
  return least && *least > Time::zero() && most.count() / far > least->count();
}

/// The curves, and their bounds as rules.
Json distribution(const std::vector<ResponseCurve>& curves, bool logarithmic) {
  Json values = Json::array();
  Json bounds = Json::array();
  for (const ResponseCurve& curve : curves) {
    if (curve.sorted.empty()) continue;
    add_curve(curve, values);
    if (!curve.bound) continue;
    // Above the curves, each below the last.
    for (Json& bound : bounds) bound["place"] = bound["place"].get<int>() - 15;
    bounds.push_back({{"curve", curve.name}, {"ms", ms(*curve.bound)}, {"label", "bound " + rounded_text(*curve.bound)}, {"place", -15}});
  }
  Json spec = Json::parse(R"json({
    "$schema": "https://vega.github.io/schema/vega/v5.json", "height": 240, "padding": 5, "autosize": "pad",
    "signals": [{"name": "width", "value": 900}],
    "scales": [
      {"name": "x", "type": "linear", "range": "width", "zero": true, "nice": true,
       "domain": {"fields": [{"data": "curves", "field": "ms"}, {"data": "bounds", "field": "ms"}]}},
      {"name": "y", "type": "linear", "range": "height", "domain": [0, 1]},
      {"name": "colour", "type": "ordinal"},
      {"name": "dash", "type": "ordinal"}],
    "axes": [
      {"orient": "bottom", "scale": "x", "title": "response time (ms)", "grid": true, "tickCount": 8},
      {"orient": "left", "scale": "y", "title": "share of jobs", "grid": true, "format": ".0%", "tickCount": 5}],
    "legends": [{"stroke": "colour", "strokeDash": "dash", "symbolType": "stroke", "orient": "top", "direction": "horizontal",
                 "columns": {"signal": "max(1, floor(width / 220))"}, "labelLimit": {"signal": "min(width, 300)"}}],
    "marks": [
      {"type": "group", "from": {"facet": {"name": "one", "data": "curves", "groupby": "curve"}},
       "marks": [{"type": "line", "from": {"data": "one"}, "encode": {"update": {
         "x": {"scale": "x", "field": "ms"}, "y": {"scale": "y", "field": "share"}, "interpolate": {"value": "step-after"},
         "stroke": {"scale": "colour", "field": "curve"}, "strokeDash": {"scale": "dash", "field": "curve"},
         "strokeWidth": {"value": 2}}}}]},
      {"type": "rule", "from": {"data": "bounds"}, "encode": {"update": {
         "x": {"scale": "x", "field": "ms"}, "y": {"value": 0}, "y2": {"signal": "height"},
         "stroke": {"scale": "colour", "field": "curve"}, "strokeDash": {"value": [6, 4]}, "strokeWidth": {"value": 2},
         "tooltip": {"field": "label"}}}},
      {"type": "rule", "from": {"data": "bounds"}, "encode": {"update": {
         "x": {"scale": "x", "field": "ms"}, "y": {"field": "place"}, "y2": {"value": 0},
         "stroke": {"scale": "colour", "field": "curve"}, "strokeDash": {"value": [6, 4]}, "strokeWidth": {"value": 2}}}},
      {"type": "text", "name": "bound", "style": "guide-label", "from": {"data": "bounds"}, "encode": {"update": {
         "x": {"signal": "scale('x', datum.ms) + (scale('x', datum.ms) < width / 2 ? 5 : -5)"},
         "align": {"signal": "scale('x', datum.ms) < width / 2 ? 'left' : 'right'"},
         "y": {"field": "place"}, "baseline": {"value": "top"}, "text": {"field": "label"}}}}]
  })json");
  for (const ResponseCurve& curve : curves) {
    for (const int scale : {2, 3}) spec["scales"][scale]["domain"].push_back(curve.name);
    spec["scales"][2]["range"].push_back(curve.colour);
    spec["scales"][3]["range"].push_back(curve.dash);
  }
  Json& legend = spec["legends"][0];
  legend["offset"] = 10 + 15 * bounds.size();  // above the bounds' names
  if (std::ranges::any_of(curves, [](const ResponseCurve& curve) { return !curve.dash.empty(); })) legend["symbolSize"] = 900;
  if (logarithmic) {
    Json& x = spec["scales"][0];
    x.erase("zero");
    x["type"] = "log";
    x["nice"] = false;
    x["padding"] = 10;
    spec["axes"][0]["title"] = "response time (ms, logarithmic)";
    spec["axes"][0]["format"] = "~g";
  }
  spec["data"] = Json::array({{{"name", "curves"}, {"values", values}}, {{"name", "bounds"}, {"values", bounds}}});
  return spec;
}

/// Of one DAG, from every trace.
std::vector<ResponseCurve> curves_of(const ComparisonReport& report, DagId d) {
  std::vector<ResponseCurve> curves;
  for (std::size_t i = 0; i < report.comparisons.size(); ++i) {
    const compare::Comparison& c = report.comparisons[i];
    curves.push_back({c.trace, c.dags[d].sorted, c.dags[d].bound, trace_colour(i).fill});
  }
  return curves;
}

/// What the tasks were to the system: nodes, groups or whole DAGs, or threads that play DAGs.
std::string granularity_of(const ComparisonReport& report, const compare::Comparison& c) {
  std::string played = detail(c.header, "granularity");
  if (!played.empty()) return played;
  const auto on_threads = [](const Dag& dag) { return dag.attributes().threads.has_value(); };
  return std::ranges::any_of(report.of(c).dags(), on_threads) ? "monolithic" : "fine";
}

/// Of all DAGs, a curve per trace: a colour for each granularity, whose traces differ by their dashes.
std::vector<ResponseCurve> curves_by_granularity(const ComparisonReport& report) {
  static const std::vector<std::vector<int>> dashes{{}, {8, 4}, {2, 3}, {10, 3, 2, 3}};
  std::vector<std::string> granularities;
  std::vector<std::size_t> traces;
  std::vector<ResponseCurve> curves;
  for (const compare::Comparison& c : report.comparisons) {
    const std::string granularity = granularity_of(report, c);
    const auto at = static_cast<std::size_t>(std::ranges::find(granularities, granularity) - granularities.begin());
    if (at == granularities.size()) {
      granularities.push_back(granularity);
      traces.push_back(0);
    }
    curves.push_back(
        {c.trace, compare::all_responses(c), compare::end_to_end(c).bound, trace_colour(at).fill, dashes[traces[at]++ % dashes.size()]});
  }
  return curves;
}

void add_timeline(const compare::Comparison& c, Page& page) {
  if (!c.timeline || c.timeline->bars().empty()) return;
  const auto waiting = trace::waiting(*c.timeline);
  Chart chart = chart_of_timeline("Timeline of " + c.trace, "", *c.timeline, waiting);
  if (c.timeline->left_out() == 0) chart.caption += " --window shows another part.";
  page.content.emplace_back(std::move(chart));
  if (PageTable table = wait_table(*c.timeline, waiting, c.trace); table.rows.size() > 1) page.content.emplace_back(std::move(table));
}

std::vector<std::string> table_row(const TaskSet& task_set, const compare::Responses& row) {
  const bool any = row.count() > 0;
  const int digits = digits_of(row);
  return {row_name(task_set, row),
          fmt::format("{}", row.count()),
          any ? rounded_text(row.max(), digits) : "-",
          any ? rounded_text(row.mean(), digits) : "-",
          any ? rounded_text(row.quantile(990'000), digits) : "-",
          row.bound ? rounded_text(*row.bound, digits) : "-",
          bound_over_max(row),
          row.bound ? fmt::format("{}", row.over) : "-",
          row.deadline ? time_text(*row.deadline) : "-",
          row.deadline ? fmt::format("{}", row.missed) : "-",
          row.missed > 0 ? "MISSED" : ""};
}

/// By how much of its bound or deadline the longest job took, whichever is more; below 0 where nothing is known.
double exhausted(const compare::Responses& row) {
  double share = -1;
  for (const auto& limit : {row.bound, row.deadline}) {
    if (row.count() > 0 && limit && *limit > Time::zero())
      share = std::max(share, static_cast<double>(row.max().count()) / static_cast<double>(limit->count()));
  }
  return share;
}

std::vector<const compare::Responses*> worst_first(const std::vector<compare::Responses>& rows) {
  std::vector<const compare::Responses*> sorted;
  sorted.reserve(rows.size());
  for (const auto& row : rows) sorted.push_back(&row);
  std::ranges::stable_sort(sorted, std::greater<>(), [](const auto* row) { return exhausted(*row); });
  return sorted;
}

// After Table 6.1 of Yang 2020: a column per trace, the end-to-end figures as rows.
PageTable side_by_side(const ComparisonReport& report) {
  PageTable table;
  table.title = "Side by side (largest over all DAGs)";
  std::vector<std::string> head{""};
  std::vector<std::string> source{"source"};
  std::vector<std::string> release{"release"};
  std::vector<std::string> scheduling{"scheduling"};
  std::vector<std::string> bound{"analytical bound"};
  std::vector<std::string> max{"observed maximum"};
  std::vector<std::string> of_99{"99 %"};
  std::vector<std::string> of_90{"90 %"};
  std::vector<std::string> median{"median"};
  std::vector<std::string> mean{"observed average"};
  for (const compare::Comparison& c : report.comparisons) {
    const compare::EndToEnd largest = compare::end_to_end(c);
    const int digits = digits_of_row(largest.max, largest.bound, std::nullopt);
    const auto text = [&](const std::optional<Time>& time) { return time ? rounded_text(*time, digits) : std::string("-"); };
    head.push_back(c.trace);
    source.push_back(c.header.source);
    release.push_back(c.header.release.value_or("-"));
    const std::string how = detail(c.header, "scheduling");
    scheduling.push_back(how.empty() ? "-" : how);
    bound.push_back(largest.bound ? text(largest.bound) : "N/A");
    max.push_back(text(largest.max));
    of_99.push_back(text(largest.of_99_percent));
    of_90.push_back(text(largest.of_90_percent));
    median.push_back(text(largest.median));
    mean.push_back(text(largest.mean));
  }
  table.rows = {head, source, release, scheduling, bound, max, of_99, of_90, median, mean};
  return table;
}

void add_comparison(const ComparisonReport& report, const compare::Comparison& c, Page& page) {
  const TaskSet& task_set = report.of(c);
  std::vector<std::string> head{"DAG", "jobs", "max", "mean", "99 %", "bound", "bound/max", "over", "deadline", "missed", "verdict"};
  PageTable dags{c.trace, {head}};
  for (const auto* row : worst_first(c.dags)) dags.rows.push_back(table_row(task_set, *row));
  page.content.emplace_back(std::move(dags));
  if (!c.nodes.empty()) {
    head.front() = "node";
    PageTable nodes{"Nodes of " + c.trace, {head}};
    for (const auto* row : worst_first(c.nodes)) nodes.rows.push_back(table_row(task_set, *row));
    page.content.emplace_back(std::move(nodes));
  }
  if (!c.chains.empty()) page.content.emplace_back(PageTable{"Chains of " + c.trace, chain_table(c.chains)});
  if (!c.late.empty()) {
    page.content.emplace_back(PageTable{"Late jobs by cause", late_rows(report, c)});
    for (const std::string& line : overhead_lines(report, c)) page.content.emplace_back(Paragraph{line});
  }
  if (!c.violations.empty()) {
    PageTable violations{"Jobs above their bounds", {{"job", "response", "bound", "what the trace shows"}}};
    for (const compare::Violation& v : c.violations) {
      const Dag& dag = task_set.dags()[v.dag];
      std::string reasons;
      for (const std::string& reason : v.reasons) reasons += (reasons.empty() ? "" : "; ") + reason;
      violations.rows.push_back(
          {fmt::format("{}{}{} job {}", dag.name(), v.node ? "/" : "", v.node ? dag.nodes()[*v.node].name : "", v.job),
           time_text(v.response), time_text(v.bound), reasons});
    }
    page.content.emplace_back(std::move(violations));
  }
  add_timeline(c, page);
  if (!c.checks.empty()) {
    PageTable checks{"What the run found when it checked itself", {{"check", "outcome", "finding"}}};
    for (const auto& check : c.checks) checks.rows.push_back({check.name, check.outcome, check.text});
    page.content.emplace_back(std::move(checks));
  }
}

}  // namespace

void print_comparison_figure(const ComparisonReport& report, std::ostream& out) {
  const bool one = report.comparisons.size() == 1 && report.comparisons.front().timeline;
  require(one, "a figure shows the timeline of one trace");
  const trace::Timeline& timeline = *report.comparisons.front().timeline;
  const ShownTimes shown_times(report.of(report.comparisons.front()));
  out << timeline_svg(drawing_of(timeline, trace::waiting(timeline)),
                      report.of(report.comparisons.front()).name() + ": " + report.comparisons.front().trace);
}

void print_comparison_page(const ComparisonReport& report, std::ostream& out) {
  const ShownTimes shown_times(report.task_set);
  Page page;
  page.title = "Observed against bound: " + (report.variants.empty() ? report.task_set.name() : "variants of a task set");
  const bool within = std::ranges::all_of(report.comparisons, [](const auto& c) { return c.within_bounds(); });
  const bool met = std::ranges::all_of(report.comparisons, [](const auto& c) { return c.met_deadlines(); });
  page.summary = report.comparisons.size() == 1 ? verdict_line(report.comparisons.front()) + "."
                 : !met                         ? "In some trace jobs ended after their deadlines, or chains passed a limit."
                 : within                       ? "In no trace did a job or a chain take longer than proven."
                                                : "In some trace jobs or chains took longer than proven.";
  const bool known = std::ranges::all_of(report.comparisons, [](const auto& c) { return c.valid() && c.complete && c.conclusive(); });
  page.badge = !within  ? Badge{"above a bound", Badge::Tone::bad}
               : !met   ? Badge{"deadline missed", Badge::Tone::bad}
               : !known ? Badge{"not conclusive", Badge::Tone::neutral}
                        : Badge{"within bounds", Badge::Tone::good};
  for (const compare::Comparison& c : report.comparisons) {
    std::string facts = (report.variants.empty() ? "" : report.of(c).name() + ", ") + c.header.source;
    if (c.header.device) facts += ", " + *c.header.device;
    if (c.header.driver) facts += ", driver " + *c.header.driver;
    if (c.header.started) facts += ", " + *c.header.started;
    page.facts.emplace_back(c.trace, facts);
  }
  if (report.comparisons.size() > 1) page.content.emplace_back(side_by_side(report));
  if (!report.variants.empty()) {
    const auto curves = curves_by_granularity(report);
    page.content.emplace_back(
        Chart{"All DAGs",
              "Distribution of end-to-end response times of all DAGs' jobs: a colour for each granularity, whose traces "
              "differ by their dashes; upright: the largest proven bound.",
              distribution(curves, far_apart(curves)).dump()});
  }
  for (DagId d = 0; report.variants.empty() && d < report.task_set.dags().size(); ++d) {
    if (std::ranges::none_of(report.comparisons, [&](const auto& c) { return c.dags[d].count() > 0; })) continue;
    page.content.emplace_back(Chart{report.task_set.dags()[d].name(),
                                    "Distribution of end-to-end response times; dashed: the proven bound.",
                                    distribution(curves_of(report, d), false).dump()});
  }
  for (const compare::Comparison& c : report.comparisons) {
    if (report.comparisons.size() > 1) page.content.emplace_back(Paragraph{c.trace + ": " + verdict_line(c) + "."});
    add_comparison(report, c, page);
  }
  embed("comparison.json", print_comparison_json, report, page);
  out << html(page);
}

}  // namespace rta::report
