#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "optimization_rows.hpp"
#include "rta/analysis/deadlines.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

Json score_json(const optimize::Score& score) { return {{"unbounded", score.unbounded}, {"missed", score.missed}}; }

Json frontier_json(const optimize::Outcome& outcome) {
  Json list = Json::array();
  for (const optimize::OnFrontier& one : outcome.frontier) {
    Json others = Json::array();
    for (const optimize::Departure& from : one.departures) others.push_back({{"what", from.what}, {"value", from.value}});
    list.push_back({{"cost", one.cost}, {"largest_lateness_ns", to_time(one.lateness).count()}, {"instead", std::move(others)}});
  }
  return list;
}

Json dags_json(const analysis::Analysis& analysis) {
  Json list = Json::array();
  const analysis::Proof& proof = analysis.proof;
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const Dag& dag = proof.task_set->dags()[d];
    const auto& bound = proof.dags[d].bound;
    list.push_back({{"name", dag.name()},
                    {"response_bound_ns", bound ? Json(bound->R.count()) : Json(nullptr)},
                    {"deadline_ns", dag.deadline() ? Json(dag.deadline()->count()) : Json(nullptr)},
                    {"meets_deadlines", bound.has_value() && meets_deadlines(proof, d)}});
  }
  return {{"verdict", to_string(analysis.verdict)}, {"release", to_string(proof.release)}, {"dags", std::move(list)}};
}

}  // namespace

void print_optimization_json(const Optimization& report, std::ostream& out) {
  const optimize::Outcome& outcome = report.outcome;
  Json json;
  json["schema"] = 1;
  json["tool"] = {{"name", "rta"}, {"version", RTA_VERSION}};
  json["task_set"] = outcome.after->proof.task_set->name();
  json["verdict"] = to_string(outcome.after->verdict);
  json["written"] = report.written ? Json(*report.written) : Json(nullptr);
  json["combinations"] = report.combinations ? Json(*report.combinations) : Json(nullptr);
  json["judged"] = report.result.scores.size();
  json["complete"] = report.result.complete;
  if (outcome.cost) json["cost"] = *outcome.cost;
  json["choices"] = Json::array();
  for (const optimize::Decision& decision : outcome.decisions) {
    Json one{{"what", decision.what}, {"alternatives", Json::array()}};
    for (const optimize::Alternative& alternative : decision.alternatives) {
      Json of{{"value", alternative.value}, {"chosen", alternative.chosen}};
      of["verdict"] = alternative.score ? Json(to_string(verdict_of(*alternative.score))) : Json(nullptr);
      if (!alternative.judged) of["judged"] = false;
      if (alternative.cost) of["cost"] = *alternative.cost;
      if (alternative.score) {
        of.update(score_json(*alternative.score));
        const auto ns = objective_ns(*alternative.score);
        of[report.objective == analysis::Objective::sum ? "sum_of_bounds_ns" : "largest_lateness_ns"] = ns ? Json(*ns) : Json(nullptr);
      }
      one["alternatives"].push_back(std::move(of));
    }
    json["choices"].push_back(std::move(one));
  }
  if (outcome.cost) json["frontier"] = frontier_json(outcome);
  json["before"] = outcome.before ? dags_json(*outcome.before) : Json(nullptr);
  json["after"] = dags_json(*outcome.after);
  json["warnings"] = report.warnings;
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace rta::report
