#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "analysis_chains.hpp"
#include "analysis_printers.hpp"
#include "analysis_words.hpp"
#include "chain_why.hpp"
#include "dag_portraits.hpp"
#include "meeting_table.hpp"
#include "priority_words.hpp"
#include "rate_words.hpp"
#include "remedy_words.hpp"
#include "report/parts/colours.hpp"
#include "report/parts/page.hpp"
#include "report/parts/times.hpp"
#include "report/parts/zoomed_time.hpp"
#include "requirement_rows.hpp"
#include "rta/analysis/assumptions.hpp"
#include "rta/model/deadline.hpp"
#include "rta/report/time_text.hpp"
#include "slack_words.hpp"
#include "why_chart.hpp"
#include "why_words.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;
using analysis::Analysis;
using analysis::Proof;

// More would neither be read nor drawn in reasonable time.
constexpr std::size_t most_bounds = 100;
constexpr std::size_t most_nodes = 400;

// A bar per DAG, a line where its deadline is.
constexpr const char* bounds_specification = R"json({
  "$schema": "https://vega.github.io/schema/vega/v5.json", "padding": 5, "autosize": "pad",
  "signals": [{"name": "width", "value": 900}],
  "scales": [
    {"name": "x", "type": "linear", "range": "width", "nice": true, "zero": true, "domain": {"fields": [{"data": "dags", "field": "bound"}, {"data": "dags", "field": "deadline"}]}},
    {"name": "row", "type": "band", "range": "height", "padding": 0.25, "domain": {"data": "dags", "field": "name"}},
    {"name": "colour", "type": "ordinal", "domain": ["met", "MISSED", "bounded"], "range": ["var(--met)", "var(--missed)", "var(--nodeadline)"]}],
  "axes": [
    {"orient": "bottom", "scale": "x", "title": "end-to-end bound (ms)", "grid": true, "gridOpacity": 0.4},
    {"orient": "left", "scale": "row", "labelLimit": 260}],
  "marks": [
    {"type": "rect", "from": {"data": "dags"}, "encode": {"update": {
      "x": {"scale": "x", "value": 0}, "x2": {"scale": "x", "field": "bound"}, "y": {"scale": "row", "field": "name"}, "height": {"scale": "row", "band": 1},
      "fill": {"scale": "colour", "field": "verdict"}, "fillOpacity": {"value": 0.85}, "tooltip": {"field": "label"}}, "hover": {"fillOpacity": {"value": 1}}}},
    {"type": "rule", "from": {"data": "deadlines"}, "encode": {"update": {
      "x": {"scale": "x", "field": "deadline"}, "y": {"signal": "scale('row', datum.name) - 3"}, "y2": {"signal": "scale('row', datum.name) + bandwidth('row') + 3"},
      "stroke": {"value": "var(--ink)"}, "strokeWidth": {"value": 3}, "tooltip": {"field": "label"}}}}]
})json";

// A row per node, from its latest start to its latest end: first it waits (pale), then it runs.
constexpr const char* nodes_specification = R"json({
  "$schema": "https://vega.github.io/schema/vega/v5.json", "padding": 5, "autosize": "pad",
  "scales": [
    {"name": "x", "type": "linear", "range": "width", "zero": false, "nice": false, "domain": {"signal": "domainX"}},
    {"name": "row", "type": "band", "range": "height", "padding": 0.15, "domain": {"data": "nodes", "field": "name"}},
    {"name": "colour", "type": "ordinal"}],
  "axes": [
    {"orient": "top", "scale": "x", "title": "time after the DAG's release (ms)", "grid": true, "gridOpacity": 0.4},
    {"orient": "left", "scale": "row", "labelLimit": 200}],
  "legends": [{"fill": "colour", "orient": "bottom", "direction": "horizontal", "symbolType": "square"}],
  "marks": [{"type": "group", "clip": true, "encode": {"update": {"width": {"signal": "width"}, "height": {"signal": "height"}, "fill": {"value": "transparent"}}},
    "marks": [
    {"type": "rect", "from": {"data": "nodes"}, "encode": {"update": {
      "x": {"scale": "x", "field": "runs"}, "x2": {"scale": "x", "field": "to"}, "y": {"scale": "row", "field": "name"}, "height": {"scale": "row", "band": 1},
      "fill": {"scale": "colour", "field": "pool"}}}},
    {"type": "rect", "from": {"data": "nodes"}, "encode": {"update": {
      "x": {"scale": "x", "field": "from"}, "x2": {"scale": "x", "field": "to"}, "y": {"scale": "row", "field": "name"}, "height": {"scale": "row", "band": 1},
      "fill": {"scale": "colour", "field": "pool"}, "fillOpacity": {"value": 0.3},
      "stroke": {"value": "var(--ink)"}, "strokeWidth": {"signal": "datum.critical ? 1.5 : 0"}, "tooltip": {"field": "label"}}}},
    {"type": "rect", "from": {"data": "nodes"}, "interactive": false, "encode": {"update": {
      "x": {"scale": "x", "field": "company"}, "x2": {"scale": "x", "field": "to"},
      "y": {"scale": "row", "field": "name", "band": 0.7}, "height": {"scale": "row", "band": 0.3}, "fill": {"value": "var(--ink)"}}}},
    {"type": "rule", "from": {"data": "deadline"}, "encode": {"update": {
      "x": {"scale": "x", "field": "deadline"}, "y": {"value": 0}, "y2": {"signal": "height"},
      "stroke": {"value": "var(--ink)"}, "strokeWidth": {"value": 2}, "tooltip": {"field": "label"}}}}]}]
})json";

double height_of(std::size_t rows, double row) { return std::max(40.0, row * static_cast<double>(rows)); }

std::optional<Chart> bounds_chart(const Proof& proof, const std::vector<KindOfDag>& kinds) {
  Json dags = Json::array();
  Json deadlines = Json::array();
  for (const KindOfDag& kind : kinds) {
    const Dag& dag = proof.task_set->dags()[kind.first];
    const auto& of_dag = proof.dags[kind.first];
    if (!of_dag.bound || dags.size() == most_bounds) continue;
    const std::string name = shared_name(proof, kind);
    const std::string verdict = outcome_of(dag, of_dag);
    dags.push_back({{"name", name},
                    {"bound", ms(of_dag.bound->R)},
                    {"verdict", verdict},
                    {"label", fmt::format("{}\nbound {} ({})\ndeadline {}, period {}\n{}", name,
                                          bound_text(of_dag.bound->R, dag.deadline()), to_string(of_dag.bound->basis.theorem),
                                          optional_time(dag.deadline()), time_text(dag.nominal_period()), verdict)}});
    if (!dag.deadline()) continue;
    dags.back()["deadline"] = ms(*dag.deadline());
    deadlines.push_back(
        {{"name", name}, {"deadline", ms(*dag.deadline())}, {"label", fmt::format("{}: deadline {}", name, time_text(*dag.deadline()))}});
  }
  if (dags.empty()) return std::nullopt;
  Json specification = Json::parse(bounds_specification);
  specification["height"] = height_of(dags.size(), 26);
  std::string caption = fmt::format("Holds for {}. A line marks a deadline.", needs_in_words(proof));
  if (dags.size() < kinds.size()) caption += fmt::format(" Drawn are {} of {} kinds of DAGs.", dags.size(), kinds.size());
  specification["data"] = {{{"name", "dags"}, {"values", std::move(dags)}}, {{"name", "deadlines"}, {"values", std::move(deadlines)}}};
  return Chart{"End to end", caption, specification.dump()};
}

// Of a job of the node's only piece, or of its last one: the others run beside each other or are waited for.
Time execution(const TaskSet& task_set, const Node& node) {
  const auto* workers = std::get_if<WorkerPool>(&task_set.pools()[node.pool].resource);
  return longest_piece(node) + (workers != nullptr ? workers->dispatch_overhead : Time::zero());
}

// From when on a node may run at the latest: its offset, or when its last predecessor has ended.
Time latest_start(const Proof& proof, const Dag& dag, const analysis::DagProof& of_dag, NodeId v) {
  Time start = of_dag.nodes[v].reference.value_or(Time::zero());
  if (proof.release == Release::offsets) return start;
  for (const NodeId u : dag.predecessors(v)) start = std::max(start, ends_by(of_dag.nodes[u]).value_or(Time::zero()));
  return start;
}

// What company adds to the piece of a kernel that was measured alone.
std::optional<Time> added_by_company(const Proof& proof, DagId d, NodeId v) {
  if (!proof.company) return std::nullopt;
  const Node& alone = proof.company->alone->dags()[d].nodes()[v];
  const auto* const kernel = std::get_if<GpuDemand>(&alone.demand);
  if (kernel == nullptr || !kernel->alone) return std::nullopt;
  return longest_piece(proof.task_set->dags()[d].nodes()[v]) - longest_piece(alone);
}

std::optional<Chart> timeline_chart(const Proof& proof, const KindOfDag& kind) {
  const Dag& dag = proof.task_set->dags()[kind.first];
  const auto& of_dag = proof.dags[kind.first];
  if (!of_dag.bound || dag.nodes().size() < 2 || dag.nodes().size() > most_nodes) return std::nullopt;
  const std::set<NodeId> critical(of_dag.critical_path.begin(), of_dag.critical_path.end());
  std::set<PoolId> pools;
  Json nodes = Json::array();
  bool in_company = false;
  for (const NodeId v : dag.topological_order()) {
    const Node& node = dag.nodes()[v];
    const auto& bound = of_dag.nodes[v].bound;
    const auto end = ends_by(of_dag.nodes[v]);
    if (!end) return std::nullopt;
    const std::string& pool = proof.task_set->pools()[node.pool].name;
    pools.insert(node.pool);
    const Time start = std::min(latest_start(proof, dag, of_dag, v), *end);
    const Time runs = std::max(start, *end - execution(*proof.task_set, node));
    const auto added = added_by_company(proof, kind.first, v);
    in_company = in_company || (added && *added > Time::zero());
    const std::string parts =
        added ? fmt::format("\n{} alone, {} more by company", time_text(execution(*proof.task_set, node) - *added), time_text(*added)) : "";
    nodes.push_back(
        {{"name", node.name},
         {"pool", pool},
         {"company", ms(std::max(runs, *end - added.value_or(Time::zero())))},
         {"from", ms(start)},
         {"runs", ms(runs)},
         {"to", ms(*end)},
         {"critical", critical.contains(v)},
         {"label", fmt::format("{} on {}\nmay wait from {} and run from {}, ends by {}\nbound {} ({}){}{}", node.name, pool,
                               time_text(start), time_text(runs), rounded_text(*end), bound_text(bound->R, own_deadline(dag, v)),
                               to_string(bound->basis.theorem), parts, critical.contains(v) ? "\non the critical path" : "")}});
  }
  Json specification = Json::parse(nodes_specification);
  Json& colours = specification["scales"][2];
  for (const PoolId p : pools) {
    colours["domain"].push_back(proof.task_set->pools()[p].name);
    colours["range"].push_back(pool_colour(p).fill);
  }
  specification["height"] = height_of(nodes.size(), nodes.size() > 60 ? 13 : 20);
  Json deadline = Json::array();
  Time last = of_dag.bound->R;
  if (const auto D = dag.deadline(); D && D->count() / 2 <= of_dag.bound->R.count()) {  // one far beyond would leave the bars no room
    last = std::max(last, *D);
    deadline.push_back({{"deadline", ms(*D)}, {"label", "deadline " + time_text(*D)}});
  }
  const bool shows_deadline = !deadline.empty();
  add_zoomed_time(specification, 0, ms(last));
  specification["data"] = {{{"name", "nodes"}, {"values", std::move(nodes)}}, {{"name", "deadline"}, {"values", std::move(deadline)}}};
  return Chart{"Nodes of " + shared_name(proof, kind),
               "Each node from the latest instant at which it may be waiting (pale) over its last or only piece to its proven latest end. "
               "Framed: the critical path " +
                   path_text(dag, of_dag.critical_path) + (shows_deadline ? "; the line: the deadline" : "") + "." +
                   (in_company ? " Barred below: the part of it that company adds to what the piece takes alone." : ""),
               specification.dump()};
}

PageTable pool_table(const Proof& proof) {
  PageTable table{"Pools", {{"pool", "", "utilization", "capacity", "%", "theorem", "why"}}};
  for (PoolId p = 0; p < proof.pools.size(); ++p) {
    const Pool& pool = proof.task_set->pools()[p];
    const auto& of_pool = proof.pools[p];
    const bool known = of_pool.capacity > 0;
    table.rows.push_back({pool.name, description(pool, of_pool), number_text(of_pool.utilization, 3),
                          known ? capacity_text(pool.kind(), of_pool.capacity) : "-",
                          known ? number_text(100 * of_pool.utilization / of_pool.capacity, 2) : "-",
                          of_pool.bounded() ? names_of(of_pool.theorems) : "no bound", pool_in_words(proof, p)});
  }
  return table;
}

PageTable dag_table(const Proof& proof, const std::vector<KindOfDag>& kinds) {
  PageTable table{"", {{"DAG", "period", "bound", "deadline", "lateness", "theorem", "verdict"}}};
  for (const KindOfDag& kind : kinds) {
    const Dag& dag = proof.task_set->dags()[kind.first];
    const auto& bound = proof.dags[kind.first].bound;
    table.rows.push_back({shared_name(proof, kind), time_text(dag.nominal_period()), optional_bound(bound, dag.deadline()),
                          optional_time(dag.deadline()), lateness_text(dag, bound),
                          bound ? std::string(to_string(bound->basis.theorem)) : "-", outcome_of(dag, proof.dags[kind.first])});
  }
  return table;
}

PageTable policy_table(const Analysis& analysis) {
  PageTable table{"Release policies", {{"policy", "outcome"}}};
  for (const auto& outcome : analysis.policies) {
    const bool chosen = outcome.release == analysis.proof.release;
    table.rows.push_back({fmt::format("{}{}", to_string(outcome.release), chosen ? " (this page)" : ""), outcome_text(outcome)});
  }
  return table;
}

void add_whys(const Analysis& analysis, Page& page) {
  if (auto chart = why_chart(analysis)) page.content.emplace_back(std::move(*chart));
  for (const analysis::Why& why : analysis.whys) {
    PageTable table{"Why " + why_heading(analysis.proof, why), {{"part", "length"}}};
    for (auto& row : why_rows(analysis.proof, why)) table.rows.push_back(std::move(row));
    page.content.emplace_back(std::move(table));
    if (const std::string hopeless = hopeless_in_words(analysis.proof, why); !hopeless.empty()) {
      page.content.emplace_back(Paragraph{"This deadline " + hopeless + "."});
    }
  }
  for (ChainWhy& why : chain_whys(analysis)) {
    PageTable table{"Why " + why.heading, {{"part", "length"}}};
    for (Row& row : why.rows) table.rows.push_back(std::move(row));
    page.content.emplace_back(std::move(table));
  }
  if (const std::string others = left_out_in_words(analysis); !others.empty()) page.content.emplace_back(Paragraph{others + "."});
}

void add_remedies(const Analysis& analysis, Page& page) {
  if (!analysis.remedies) return;
  if (!analysis.remedies->list.empty()) {
    page.content.emplace_back(PageTable{"What helps, each tried and proven", remedy_rows(analysis, most_remedies)});
    page.content.emplace_back(PageTable{"Bounds with these changes", remedy_bounds(analysis, most_remedies)});
  }
  if (const std::string rest = remedies_in_words(analysis, most_remedies); !rest.empty()) {
    page.content.emplace_back(Paragraph{"What helps: " + rest + "."});
  }
}

void add_slack(const Analysis& analysis, Page& page) {
  if (!analysis.slack) return;
  page.content.emplace_back(Paragraph{"Slack. " + slack_in_words(*analysis.slack)});
  page.content.emplace_back(PageTable{"Slack of nodes", node_slack_rows(analysis)});
  page.content.emplace_back(PageTable{"Slack of DAGs", dag_slack_rows(analysis)});
  page.content.emplace_back(PageTable{"Slack of pools", pool_slack_rows(analysis)});
}

void add_rates(const Analysis& analysis, Page& page) {
  for (const analysis::LargestRate& rate : analysis.rates) {
    std::string text = fmt::format("Largest rate of {}.", rate_name(analysis.proof, rate));
    for (const std::string& line : rate_lines(analysis, rate)) text += fmt::format(" {}.", line);
    page.content.emplace_back(Paragraph{std::move(text)});
  }
}

void add_portraits(const Analysis& analysis, const std::vector<KindOfDag>& kinds,
                   const std::function<std::string(const std::string&)>& draw, Page& page) {
  const std::size_t drawn = std::min(kinds.size(), most_portraits);
  for (std::size_t i = 0; i < drawn; ++i) {
    Portrait portrait = dag_portrait(analysis, kinds[i], draw);
    if (portrait.picture || portrait.waterfall || !portrait.caption.empty()) page.content.emplace_back(std::move(portrait));
    if (auto chart = timeline_chart(analysis.proof, kinds[i])) page.content.emplace_back(std::move(*chart));
  }
  if (const std::size_t left = kinds.size() - drawn; left > 0) {
    page.content.emplace_back(Paragraph{fmt::format(
        "The {} worst of {} kinds of DAGs are drawn, with their nodes; of {} more there {} only the table and the first chart. 'rta draw' "
        "draws all.",
        drawn, kinds.size(), left, left == 1 ? "is" : "are")});
  }
  if (!draw && drawn > 0) page.content.emplace_back(Paragraph{"This rta was built without Graphviz, which lays out pictures of DAGs."});
}

Badge badge_of(analysis::Verdict verdict) {
  if (verdict == analysis::Verdict::schedulable) return {"schedulable", Badge::Tone::good};
  return {verdict == analysis::Verdict::unbounded ? "no bound" : "deadline missed", Badge::Tone::bad};
}

Page page_of(const Analysis& analysis, const std::function<std::string(const std::string&)>& draw) {
  const Proof& proof = analysis.proof;
  Page page;
  page.title = proof.task_set->name();
  page.badge = badge_of(analysis.verdict);
  page.summary = verdict_sentence(analysis);
  page.facts = {{"needs at run time", needs_in_words(proof)},
                {"DAGs, nodes", fmt::format("{}, {}", proof.task_set->dags().size(), proof.task_set->node_count())}};
  if (const auto proved = machine_checked_in_words(analysis::machine_checked(proof), true); !proved.empty())
    page.facts.emplace_back("proofs", proved);
  for (const auto& one : assumptions(proof, analysis.chains)) page.facts.emplace_back("assumed", one.text);
  for (const std::string& warning : analysis.warnings) page.facts.emplace_back("warning", warning);
  const auto kinds = worst_first(proof);
  if (auto chart = bounds_chart(proof, kinds)) page.content.emplace_back(std::move(*chart));
  page.content.emplace_back(dag_table(proof, kinds));
  if (auto rows = own_deadline_rows(proof); rows.size() > 1) {
    page.content.emplace_back(PageTable{"Deadlines of single nodes", std::move(rows)});
  }
  if (auto rows = history_rows(proof); rows.size() > 1) {
    page.content.emplace_back(PageTable{"Nodes that wait for earlier jobs", std::move(rows)});
  }
  if (!analysis.chains.empty()) page.content.emplace_back(PageTable{"Chains", chain_rows(analysis)});
  if (auto rows = requirement_rows(analysis); rows.size() > 1) page.content.emplace_back(PageTable{"Requirements", std::move(rows)});
  page.content.emplace_back(pool_table(proof));
  for (PoolId p = 0; p < proof.pools.size(); ++p) {
    if (!proof.pools[p].worst) continue;
    page.content.emplace_back(Paragraph{
        fmt::format("Worst blocking configuration of {}: {}.", proof.task_set->pools()[p].name, worst_configuration_in_words(proof, p))});
  }
  if (analysis.assignment) {
    page.content.emplace_back(PageTable{"Fixed priorities: " + assignment_in_words(analysis), assignment_rows(analysis)});
  }
  if (analysis.policies.size() > 1) page.content.emplace_back(policy_table(analysis));
  if (const std::string forgone = forgone_in_words(analysis); !forgone.empty()) page.content.emplace_back(Paragraph{forgone + "."});
  if (const std::string dear = dear_theorems_in_words(proof); !dear.empty())
    page.content.emplace_back(Paragraph{"Left out: " + dear + "."});
  for (const MeetingTable& table : meeting_tables(proof)) {
    if (!table.names.empty()) page.content.emplace_back(meeting_matrix(table));
    if (const std::string more = meetings_left_out(table); !more.empty()) page.content.emplace_back(Paragraph{more + "."});
  }
  add_whys(analysis, page);
  add_remedies(analysis, page);
  add_slack(analysis, page);
  add_rates(analysis, page);
  add_portraits(analysis, kinds, draw, page);
  for (const auto& explanation : analysis.explanations) {
    PageTable lines{"Bound of " + explanation.node, {{"derivation"}}};
    for (const std::string& line : explanation.lines) lines.rows.push_back({line});
    page.content.emplace_back(std::move(lines));
  }
  return page;
}

}  // namespace

void print_analysis_page(const AnalysisReport& report, std::ostream& out) {
  const ShownTimes shown_times(*report.analysis.proof.task_set);
  Page page = page_of(report.analysis, report.draw);
  embed("analysis.json", print_analysis_json, report, page);
  out << html(page);
}

}  // namespace rta::report
