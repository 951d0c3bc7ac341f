#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>

#include "advice_json.hpp"
#include "analysis_chains.hpp"
#include "analysis_printers.hpp"
#include "analysis_words.hpp"
#include "meeting_table.hpp"
#include "priority_words.hpp"
#include "report/parts/json_time.hpp"
#include "requirement_rows.hpp"
#include "rta/analysis/assumptions.hpp"
#include "rta/analysis/deadlines.hpp"
#include "rta/analysis/history.hpp"
#include "rta/analysis/in_flight.hpp"
#include "rta/analysis/machine_checked.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

Json bound_ns(const std::optional<analysis::Bound>& bound) { return bound ? Json(bound->R.count()) : Json(nullptr); }

Json theorem(const std::optional<analysis::Bound>& bound) { return bound ? Json(to_string(bound->basis.theorem)) : Json(nullptr); }

Json node_json(const analysis::Proof& proof, const analysis::MachineChecked& checked, DagId d, NodeId v) {
  const Dag& dag = proof.task_set->dags()[d];
  const Node& node = dag.nodes()[v];
  const analysis::NodeProof& of_node = proof.dags[d].nodes[v];
  Json json;
  json["name"] = node.name;
  json["pool"] = proof.task_set->pools()[node.pool].name;
  json["theorem"] = theorem(of_node.bound);
  const auto& headline = checked.nodes[d][v];
  if (headline && !headline->form.empty()) json["form"] = headline->form;
  json["headline"] = headline && !headline->name.empty() ? Json(headline->name) : Json();
  json["offset_ns"] = json_ns(offset_of(proof, of_node));
  if (of_node.priority_point) json["priority_point_ns"] = json_ns(of_node.priority_point);
  if (of_node.priority) json["priority"] = *of_node.priority;
  json["response_bound_ns"] = bound_ns(of_node.bound);
  if (proof.company) {
    const auto* const alone = std::get_if<GpuDemand>(&proof.company->alone->dags()[d].nodes()[v].demand);
    if (alone != nullptr && alone->alone) {
      json["alone_ns"] = alone->L.count();
      json["company_ns"] = (longest_piece(node) - alone->L).count();
    }
  }
  if (const auto D = own_deadline(dag, v)) {
    json["deadline_ns"] = D->count();
    json["meets_deadline"] = meets_own_deadline(proof, d, v);
  }
  if (proof.release == Release::segments) json["segment"] = of_node.segment;
  return json;
}

Json assumed_json(const analysis::Analysis& analysis) {
  const TaskSet& set = *analysis.proof.task_set;
  Json json = Json::array();
  for (const auto& one : assumptions(analysis.proof, analysis.chains)) {
    json.push_back({{"pool", set.pools()[one.pool].name}, {"by", one.by}, {"text", one.text}});
  }
  return json;
}

Json not_machine_checked_json(const analysis::MachineChecked& checked) {
  Json json{{"theorems", Json::array()}, {"outside", checked.outside}};
  for (const analysis::Unchecked& one : checked.others)
    json["theorems"].push_back({{"theorem", to_string(one.theorem)}, {"form", one.form}, {"bounds", one.bounds}});
  return json;
}

Json left_out_json(const std::vector<analysis::LeftOut>& all) {
  Json json = Json::array();
  for (const analysis::LeftOut& one : all) {
    Json entry;
    entry["theorems"] = Json::array();
    for (const analysis::Theorem theorem : one.theorems) entry["theorems"].push_back(to_string(theorem));
    entry["in_part"] = one.what == analysis::LeftOut::What::coarser || one.what == analysis::LeftOut::What::search;
    if (!one.where.empty()) entry["where"] = one.where;
    entry["limit"] = to_string(one.limit);
    if (one.most > 0) entry["most"] = one.most;
    if (one.found > 0) entry["found"] = one.found;
    entry["text"] = in_words(one);
    json.push_back(std::move(entry));
  }
  return json;
}

Json policy_json(const analysis::PolicyOutcome& outcome) {
  Json json;
  json["release"] = to_string(outcome.release);
  json["verdict"] = outcome.verdict ? Json(to_string(*outcome.verdict)) : Json(nullptr);
  json["largest_response_bound_ns"] = json_ns(outcome.largest_R);
  if (!outcome.reason.empty()) json["reason"] = outcome.reason;
  if (!outcome.left_out.empty()) json["left_out"] = left_out_json(outcome.left_out);
  return json;
}

Json forgone_json(const analysis::Forgone& forgone) {
  return {{"release", to_string(forgone.release)},
          {"objective", forgone.objective == analysis::Objective::sum ? "sum" : "max-lateness"},
          {"there_ns", forgone.there.count()},
          {"here_ns", forgone.here.count()},
          {"percent", forgone.percent}};
}

Json buffers_json(const analysis::Proof& proof, DagId d) {
  const Dag& dag = proof.task_set->dags()[d];
  Json json = Json::array();
  for (const Edge& edge : dag.edges()) {
    if (const auto needed = buffers(proof, d, edge))
      json.push_back({{"from", dag.nodes()[edge.from].name}, {"to", dag.nodes()[edge.to].name}, {"number", *needed}});
  }
  return json;
}

Json history_json(const analysis::Proof& proof, DagId d) {
  const Dag& dag = proof.task_set->dags()[d];
  Json json = Json::array();
  for (const HistoryEdge& edge : dag.history()) {
    const analysis::HistoryMargin margin = history_margin(proof, d, edge);
    const bool bounded = proof.dags[d].bound.has_value();
    Json one;
    one["from"] = dag.nodes()[edge.from].name;
    one["to"] = dag.nodes()[edge.to].name;
    one["jobs"] = edge.jobs;
    if (const auto stream = analysis::stream_of(dag, edge); !stream.empty()) one["stream"] = stream;
    one["ends_ns"] = json_ns(margin.F);
    const bool fits = margin.within <= std::numeric_limits<std::int64_t>::max();
    one["within_ns"] = fits ? Json(static_cast<std::int64_t>(margin.within)) : Json();
    one["may_delay"] = !bounded || !margin.never_delays();
    if (const auto needed = buffers(proof, d, edge)) one["number"] = *needed;
    json.push_back(std::move(one));
  }
  return json;
}

Json dag_json(const analysis::Proof& proof, const analysis::MachineChecked& checked, DagId d) {
  const Dag& dag = proof.task_set->dags()[d];
  const analysis::DagProof& of_dag = proof.dags[d];
  Json json;
  json["name"] = dag.name();
  json["period_ns"] = dag.nominal_period().count();
  if (dag.attributes().jitter > Time::zero()) json["jitter_ns"] = dag.attributes().jitter.count();
  if (dag.attributes().periodic) json["periodic"] = true;
  json["deadline_ns"] = json_ns(dag.deadline());
  json["release"] = to_string(proof.release);
  json["theorem"] = theorem(of_dag.bound);
  json["response_bound_ns"] = bound_ns(of_dag.bound);
  json["meets_deadline"] = of_dag.meets(dag.deadline());
  if (const auto jobs = jobs_in_flight(proof, d)) {
    json["jobs_in_flight"] = *jobs;
    if (*jobs > 1) json["buffers"] = buffers_json(proof, d);
  }
  if (const auto& limit = dag.attributes().in_flight) {
    json["in_flight"] = *limit;
    json["may_wait_for_admission"] = !of_dag.bound.has_value();
    json["from_admission_ns"] = json_ns(from_admission(proof, d));
  }
  if (!dag.history().empty()) json["history"] = history_json(proof, d);
  Json path = Json::array();
  for (NodeId v : of_dag.critical_path) path.push_back(dag.nodes()[v].name);
  json["critical_path"] = std::move(path);
  Json nodes = Json::array();
  for (NodeId v = 0; v < of_dag.nodes.size(); ++v) nodes.push_back(node_json(proof, checked, d, v));
  json["nodes"] = std::move(nodes);
  return json;
}

/// `all_met`: what is proven of the DAG meets its deadline.
Json jobs_json(const std::vector<analysis::JobBound>& jobs, const std::optional<Time>& deadline, bool all_met) {
  Json json = Json::array();
  for (const analysis::JobBound& job : jobs) {
    json.push_back({{"release_ns", job.release.count()},
                    {"response_bound_ns", job.R.count()},
                    {"meets_deadline", all_met || !deadline || job.R <= *deadline}});
  }
  return json;
}

Json rules_json(const analysis::RuleCheck& check) {
  Json json;
  json["device"] = check.device;
  json["driver"] = check.driver;
  json["date"] = check.date;
  const auto add = [&](const char* key, const std::vector<analysis::RuleUse>& uses) {
    json[key] = Json::array();
    for (const auto& use : uses) {
      json[key].push_back({{"rule", to_string(use.verdict.rule)}, {"pools", use.pools}, {"reason", use.verdict.reason}});
    }
  };
  add("confirmed", check.confirmed);
  add("refuted", check.refuted);
  add("untested", check.untested);
  return json;
}

Json pool_json(const analysis::Proof& proof, PoolId p) {
  const Pool& pool = proof.task_set->pools()[p];
  const analysis::PoolProof& of_pool = proof.pools[p];
  Json json;
  json["name"] = pool.name;
  json["kind"] = to_string(pool.kind());
  json["theorem"] = of_pool.theorems.empty() ? Json(nullptr) : Json(names_of(of_pool.theorems));
  json["utilization"] = of_pool.utilization;
  if (of_pool.awaiting > 0) json["awaiting_utilization"] = of_pool.awaiting;
  json["capacity"] = of_pool.capacity > 0 ? Json(of_pool.capacity) : Json();
  if (of_pool.busy) json["busy"] = *of_pool.busy;
  json["bounded"] = of_pool.bounded();
  json["largest_node_lateness_ns"] = json_ns(of_pool.largest_lateness);
  if (of_pool.deadline_monotonic) json["priorities"] = "deadline monotonic";
  json["explanation"] = pool_in_words(proof, p);
  if (of_pool.worst) json["worst_blocking_configuration"] = worst_configuration_in_words(proof, p);
  return json;
}

Json suggestion_json(const analysis::Suggestion& s) {
  return {{"node", s.node},
          {"dags", s.dags},
          {"H", s.H},
          {"B", s.B},
          {"shared_memory", s.shared_memory},
          {"capacity_alone", s.capacity_alone},
          {"gain_alone", s.gain_alone},
          {"capacity", s.capacity},
          {"gain", s.gain},
          {"group", s.group + 1}};
}

}  // namespace

void JsonPrinter::print(const analysis::Analysis& analysis, std::ostream& out) const {
  const analysis::Proof& proof = analysis.proof;
  Json json;
  json["schema"] = 1;
  json["tool"] = {{"name", "rta"}, {"version", RTA_VERSION}};
  json["task_set"] = proof.task_set->name();
  json["verdict"] = to_string(analysis.verdict);
  const analysis::MachineChecked checked = analysis::machine_checked(proof);
  json["machine_checked"] = checked.all();
  if (!checked.all()) json["not_machine_checked"] = not_machine_checked_json(checked);
  json["pools"] = Json::array();
  for (PoolId p = 0; p < proof.pools.size(); ++p) json["pools"].push_back(pool_json(proof, p));
  json["dags"] = Json::array();
  for (DagId d = 0; d < proof.dags.size(); ++d) json["dags"].push_back(dag_json(proof, checked, d));
  if (analysis.jobs) {
    json["hyperperiod_ns"] = analysis.jobs->hyperperiod.count();
    for (DagId d = 0; d < proof.dags.size(); ++d)
      json["dags"][d]["jobs"] = jobs_json(analysis.jobs->dags[d], proof.task_set->dags()[d].deadline(),
                                          proof.dags[d].meets(proof.task_set->dags()[d].deadline()));
  }
  if (!analysis.chains.empty()) json["chains"] = chains_json(analysis);
  if (auto requirements = requirements_json(analysis); !requirements.empty()) json["requirements"] = std::move(requirements);
  if (analysis.assignment) json["priority_assignment"] = assignment_json(analysis);
  if (!analysis.policies.empty()) {
    json["policies"] = Json::array();
    for (const auto& outcome : analysis.policies) json["policies"].push_back(policy_json(outcome));
  }
  if (analysis.forgone) json["forgone"] = forgone_json(*analysis.forgone);
  if (const auto tables = meeting_tables(proof); !tables.empty()) json["meetings"] = meetings_json(tables);
  json["assumed"] = assumed_json(analysis);
  json["left_out"] = left_out_json(proof.left_out);
  if (analysis.rules) json["rules"] = rules_json(*analysis.rules);
  add_advice(analysis, json);
  if (certificate_) json["certificate"] = {{"file", certificate_->file}, {"uncertified", certificate_->uncertified}};
  if (!analysis.explanations.empty()) {
    json["explanations"] = Json::array();
    for (const auto& explanation : analysis.explanations)
      json["explanations"].push_back({{"node", explanation.node}, {"lines", explanation.lines}});
  }
  const analysis::Suggestions& suggestions = analysis.suggestions;
  if (!suggestions.list.empty()) {
    json["suggestions"] = Json::array();
    for (const auto& s : suggestions.list) json["suggestions"].push_back(suggestion_json(s));
    json["suggestion_groups"] = Json::array();
    for (std::size_t g = 0; g < suggestions.groups.size(); ++g) {
      json["suggestion_groups"].push_back({{"group", g + 1}, {"nodes", suggestions.groups[g]}});
    }
  }
  json["warnings"] = analysis.warnings;
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace rta::report
