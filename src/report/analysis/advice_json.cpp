#include "advice_json.hpp"

#include "rate_words.hpp"
#include "remedy_words.hpp"
#include "rta/analysis/chains.hpp"
#include "rta/analysis/deadlines.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_pairs_listed = 100;

Json why_json(const analysis::Proof& proof, const analysis::Why& why) {
  const Dag& dag = proof.task_set->dags()[why.dag];
  const auto names = [&](const std::vector<NodeId>& path) {
    Json json = Json::array();
    for (const NodeId v : path) json.push_back(dag.nodes()[v].name);
    return json;
  };
  Json json;
  json["dag"] = dag.name();
  json["response_bound_ns"] = proof.dags[why.dag].bound->R.count();
  json["deadline_ns"] = dag.deadline() ? Json(dag.deadline()->count()) : Json(nullptr);
  json["path"] = names(why.path);
  json["parts"] = Json::array();
  for (const analysis::BoundPart& part : why.parts) {
    Json one;
    one["cause"] = to_string(part.cause);
    one["pool"] = part.pool ? Json(proof.task_set->pools()[*part.pool].name) : Json(nullptr);
    one["by_dag"] = part.by ? Json(proof.task_set->dags()[*part.by].name()) : Json(nullptr);
    one["length_ns"] = part.length.count();
    json["parts"].push_back(std::move(one));
  }
  json["longest_path"] = names(why.longest_path);
  json["alone_ns"] = why.alone.count();
  return json;
}

Json kept_apart_json(const TaskSet& task_set, const std::vector<analysis::KeptApart>& pairs) {
  Json json = Json::array();
  for (std::size_t i = 0; i < pairs.size() && i < most_pairs_listed; ++i) {
    const analysis::KeptApart& pair = pairs[i];
    json.push_back({{"a", kernel_name(task_set, pair.a)},
                    {"b", kernel_name(task_set, pair.b)},
                    {"a_before_ns", pair.a_before.count()},
                    {"a_after_ns", pair.a_after.count()},
                    {"b_before_ns", pair.b_before.count()},
                    {"b_after_ns", pair.b_after.count()}});
  }
  return json;
}

Json remedy_json(const analysis::Analysis& analysis, const analysis::Remedy& remedy) {
  Json json;
  json["change"] = change_in_words(analysis.proof, remedy.change);
  if (const auto* options = std::get_if<analysis::OtherOptions>(&remedy.change)) {
    json["options"] = Json::object();
    for (const auto& [name, value] : options->options) json["options"][name] = value;
  }
  if (!remedy.apart.empty()) json["kept_apart"] = kept_apart_json(*analysis.proof.task_set, remedy.apart);
  json["verdict"] = to_string(verdict_of(remedy.proof));
  json["release"] = to_string(remedy.proof.release);
  json["dags"] = Json::array();
  for (DagId d = 0; d < remedy.proof.dags.size(); ++d) {
    const auto& bound = remedy.proof.dags[d].bound;
    json["dags"].push_back({{"name", remedy.proof.task_set->dags()[d].name()},
                            {"response_bound_ns", bound ? Json(bound->R.count()) : Json(nullptr)},
                            {"meets_deadlines", bound.has_value() && meets_deadlines(remedy.proof, d)}});
  }
  const auto& chains = set_with_chains(remedy.proof).chains();
  if (chains.empty()) return json;
  const auto proofs = analysis::prove_chains(remedy.proof);
  json["chains"] = Json::array();
  for (ChainId c = 0; c < chains.size(); ++c) {
    const auto& bound = proofs[c].bound;
    json["chains"].push_back({{"name", chains[c].name},
                              {"reaction_time_ns", bound ? Json(bound->MRT.count()) : Json(nullptr)},
                              {"data_age_ns", bound ? Json(bound->MDA.count()) : Json(nullptr)},
                              {"meets_limits", proofs[c].meets(chains[c])}});
  }
  return json;
}

Json remedies_json(const analysis::Analysis& analysis) {
  Json json;
  json["tried"] = analysis.remedies->tried;
  json["complete"] = analysis.remedies->complete();
  if (!analysis.remedies->complete()) json["ended_by"] = analysis.remedies->ended_by == Limit::Cause::effort ? "effort" : "time";
  json["list"] = Json::array();
  for (const analysis::Remedy& remedy : analysis.remedies->list) json["list"].push_back(remedy_json(analysis, remedy));
  return json;
}

Json slack_json(const analysis::Analysis& analysis) {
  const analysis::Slack& slack = *analysis.slack;
  const TaskSet& task_set = *as_given(analysis.proof);
  Json json;
  json["release"] = to_string(slack.release);
  json["complete"] = slack.complete;
  if (slack.scale) json["scale"] = {{"largest_thousandths", slack.scale->value}, {"covered", slack.scale->covered}};
  json["nodes"] = Json::array();
  for (const analysis::NodeSlack& node : slack.nodes) {
    const Dag& dag = task_set.dags()[node.dag];
    Json one{{"dag", dag.name()}, {"node", dag.nodes()[node.node].name}};
    one["piece_ns"] = longest_piece(dag.nodes()[node.node]).count();
    one["largest_piece_ns"] = node.piece.value.count();
    one["piece_covered"] = node.piece.covered;
    if (node.pieces) {
      one["largest_B"] = node.pieces->value;
      one["B_covered"] = node.pieces->covered;
    }
    json["nodes"].push_back(std::move(one));
  }
  json["dags"] = Json::array();
  for (const analysis::DagSlack& of_dag : slack.dags) {
    const Dag& dag = task_set.dags()[of_dag.dag];
    Json one{{"dag", dag.name()},
             {"period_ns", dag.nominal_period().count()},
             {"least_period_ns", (of_dag.period.value + dag.attributes().jitter).count()}};
    one["period_covered"] = of_dag.period.covered;
    if (of_dag.deadline) {
      one["least_deadline_ns"] = of_dag.deadline->value.count();
      one["deadline_covered"] = of_dag.deadline->covered;
    }
    json["dags"].push_back(std::move(one));
  }
  json["pools"] = Json::array();
  for (const analysis::PoolSlack& pool : slack.pools) {
    json["pools"].push_back({{"pool", task_set.pools()[pool.pool].name}, {"size", pool.now}, {"least_size", pool.least}});
  }
  return json;
}

Json unmet_json(const analysis::RateTrial& trial, const analysis::Unmet& unmet) {
  const analysis::Proof& proof = trial.proof;
  Json json;
  if (unmet.chain) {
    json["chain"] = set_with_chains(proof).chains()[*unmet.chain].name;
  } else {
    const Dag& dag = proof.task_set->dags()[unmet.dag];
    json["dag"] = dag.name();
    if (unmet.node) json["node"] = dag.nodes()[*unmet.node].name;
  }
  json["text"] = unmet_in_words(trial, unmet);
  return json;
}

Json rate_json(const analysis::Proof& proof, const analysis::LargestRate& rate) {
  Json json;
  json["dags"] = Json::array();
  for (DagId d = rate.dags.first; d <= rate.dags.last; ++d) json["dags"].push_back(proof.task_set->dags()[d].name());
  json["period_ns"] = proof.task_set->dags()[rate.dags.first].nominal_period().count();
  json["least_period_ns"] = rate.found ? Json(rate.found->T.count()) : Json(nullptr);
  json["jobs_per_second"] = rate.found ? Json::parse(per_second(rate.found->T)) : Json(nullptr);
  json["response_bound_ns"] = rate.found ? Json(rate.bound().R.count()) : Json(nullptr);
  json["theorem"] = rate.found ? Json(to_string(rate.bound().basis.theorem)) : Json(nullptr);
  json["release"] = rate.found ? Json(to_string(rate.found->proof.release)) : Json(nullptr);
  json["complete"] = rate.complete;
  if (rate.failing) {
    json["failing"] = {{"period_ns", rate.failing->T.count()}, {"unmet", Json::array()}};
    for (const analysis::Unmet& unmet : rate.failing->unmet) json["failing"]["unmet"].push_back(unmet_json(*rate.failing, unmet));
  }
  return json;
}

}  // namespace

void add_advice(const analysis::Analysis& analysis, Json& json) {
  if (!analysis.whys.empty()) {
    json["why"] = Json::array();
    for (const analysis::Why& why : analysis.whys) json["why"].push_back(why_json(analysis.proof, why));
  }
  if (analysis.remedies) json["remedies"] = remedies_json(analysis);
  if (analysis.slack) json["slack"] = slack_json(analysis);
  if (analysis.rates.empty()) return;
  json["largest_rates"] = Json::array();
  for (const analysis::LargestRate& rate : analysis.rates) json["largest_rates"].push_back(rate_json(analysis.proof, rate));
}

}  // namespace rta::report
