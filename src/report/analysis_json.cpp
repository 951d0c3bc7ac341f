#include <nlohmann/json.hpp>
#include <ostream>

#include "analysis_printers.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

Json ns(const std::optional<Time>& time) { return time ? Json(time->count()) : Json(nullptr); }

Json node_json(const TaskSet& task_set, const Node& node, const analysis::NodeBound& bound) {
  Json json;
  json["name"] = node.name;
  json["pool"] = task_set.pools()[node.pool].name;
  json["theorem"] = bound.R ? Json(bound.theorem) : Json(nullptr);
  json["offset_ns"] = ns(bound.offset);
  if (bound.priority_point) json["priority_point_ns"] = ns(bound.priority_point);
  json["response_bound_ns"] = ns(bound.R);
  if (bound.segment) json["segment"] = *bound.segment;
  return json;
}

Json policy_json(const analysis::PolicyOutcome& outcome) {
  Json json;
  json["release"] = to_string(outcome.policy);
  json["verdict"] = outcome.tried ? Json(to_string(outcome.verdict)) : Json(nullptr);
  json["largest_response_bound_ns"] = ns(outcome.largest_R);
  if (!outcome.reason.empty()) json["reason"] = outcome.reason;
  return json;
}

Json dag_json(const TaskSet& task_set, const Dag& dag, const analysis::DagBound& bound, analysis::ReleasePolicy release) {
  Json json;
  json["name"] = dag.name();
  json["period_ns"] = dag.period().count();
  json["deadline_ns"] = ns(dag.deadline());
  json["release"] = to_string(release);
  json["theorem"] = bound.R ? Json(bound.theorem) : Json(nullptr);
  json["response_bound_ns"] = ns(bound.R);
  json["meets_deadline"] = bound.meets(dag.deadline());
  Json path = Json::array();
  for (NodeId v : bound.critical_path) path.push_back(dag.nodes()[v].name);
  json["critical_path"] = std::move(path);
  Json nodes = Json::array();
  for (NodeId v = 0; v < bound.nodes.size(); ++v) nodes.push_back(node_json(task_set, dag.nodes()[v], bound.nodes[v]));
  json["nodes"] = std::move(nodes);
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

Json pool_json(const Pool& pool, const analysis::PoolBound& bound) {
  Json json;
  json["name"] = pool.name;
  json["kind"] = to_string(pool.kind());
  json["theorem"] = bound.theorem.empty() ? Json(nullptr) : Json(bound.theorem);
  json["utilization"] = bound.utilization;
  json["capacity"] = bound.capacity > 0 ? Json(bound.capacity) : Json();
  json["bounded"] = bound.bounded;
  json["largest_node_lateness_ns"] = ns(bound.largest_lateness);
  json["explanation"] = bound.explanation;
  if (!bound.worst_configuration.empty()) json["worst_blocking_configuration"] = bound.worst_configuration;
  return json;
}

}  // namespace

void JsonPrinter::print(const analysis::Analysis& analysis, std::ostream& out) const {
  const TaskSet& task_set = *analysis.task_set;
  Json json;
  json["schema"] = 1;
  json["tool"] = {{"name", "rta"}, {"version", RTA_VERSION}};
  json["task_set"] = task_set.name();
  json["verdict"] = to_string(analysis.verdict);
  json["pools"] = Json::array();
  for (PoolId p = 0; p < analysis.pools.size(); ++p) json["pools"].push_back(pool_json(task_set.pools()[p], analysis.pools[p]));
  json["dags"] = Json::array();
  for (DagId d = 0; d < analysis.dags.size(); ++d)
    json["dags"].push_back(dag_json(task_set, task_set.dags()[d], analysis.dags[d], analysis.release));
  if (!analysis.policies.empty()) {
    json["policies"] = Json::array();
    for (const auto& outcome : analysis.policies) json["policies"].push_back(policy_json(outcome));
  }
  if (analysis.rules) json["rules"] = rules_json(*analysis.rules);
  if (!analysis.explanations.empty()) {
    json["explanations"] = Json::array();
    for (const auto& explanation : analysis.explanations)
      json["explanations"].push_back({{"node", explanation.node}, {"lines", explanation.lines}});
  }
  if (!analysis.suggestions.empty()) {
    json["suggestions"] = Json::array();
    for (const auto& s : analysis.suggestions) {
      json["suggestions"].push_back({{"node", s.node},
                                     {"dags", s.dags},
                                     {"H", s.H},
                                     {"B", s.B},
                                     {"shared_memory", s.shared_memory},
                                     {"capacity_alone", s.capacity_alone},
                                     {"gain_alone", s.gain_alone},
                                     {"capacity", s.capacity},
                                     {"gain", s.gain},
                                     {"group", s.group + 1}});
    }
    json["suggestion_groups"] = Json::array();
    for (std::size_t g = 0; g < analysis.suggestion_groups.size(); ++g) {
      json["suggestion_groups"].push_back({{"group", g + 1}, {"nodes", analysis.suggestion_groups[g]}});
    }
  }
  json["warnings"] = analysis.warnings;
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace rta::report
