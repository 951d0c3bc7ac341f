#include "requirement_rows.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis_words.hpp"
#include "report/parts/json_time.hpp"
#include "report/parts/times.hpp"
#include "rta/analysis/chains.hpp"
#include "rta/model/deadline.hpp"
#include "rta/report/analysis_report.hpp"

namespace rta::report {
namespace {

using analysis::Analysis;
using analysis::Bound;

void take(const std::optional<Bound>& bound, RequirementResult& result) {
  if (!bound) return;
  result.bound = bound->R;
  result.theorem = to_string(bound->basis.theorem);
}

RequirementResult of_stage(const Analysis& analysis, const TaskSet& set, std::string_view name, const ChainStage& stage) {
  const analysis::Proof& proof = analysis.proof;
  RequirementResult result{name, stage_name(stage, set.dags()), stage.dag};
  const Dag& dag = set.dags()[stage.dag];
  if (!stage.node) {
    take(proof.dags[stage.dag].bound, result);
    result.limit = dag.deadline();
  } else {
    if (!proof.ungrouped) take(proof.dags[stage.dag].nodes[*stage.node].bound, result);  // a part of a group has none of its own
    result.limit = own_deadline(dag, *stage.node);
  }
  return result;
}

void add_chain(const Chain& chain, const analysis::ChainProof& proof, std::string_view name, std::vector<RequirementResult>& results) {
  const auto add = [&](std::string_view what, Time analysis::ChainLatencies::*latency, std::optional<Time> limit) {
    RequirementResult& result = results.emplace_back(RequirementResult{name, chain.name + " (" + std::string(what) + ")"});
    result.limit = limit;
    if (!proof.bound) return;
    result.bound = (*proof.bound).*latency;
    result.theorem = "T13";
  };
  if (chain.reaction || !chain.age) add("reaction", &analysis::ChainLatencies::MRT, chain.reaction);
  if (chain.age || !chain.reaction) add("age", &analysis::ChainLatencies::MDA, chain.age);
}

std::string verdict_of(const RequirementResult& result) {
  if (!result.bound) return "no bound";
  if (!result.limit) return "bounded";
  return result.holds() ? "met" : "MISSED";
}

}  // namespace

std::vector<RequirementResult> requirement_results(const Analysis& analysis) {
  const TaskSet& set = analysis::set_with_chains(analysis.proof);
  std::vector<RequirementResult> results;
  for (const Requirement& one : set.requirements()) {
    if (const auto* const chain = std::get_if<ChainId>(&one.subject)) {
      add_chain(set.chains()[*chain], analysis.chains[*chain], one.name, results);
    } else {
      results.push_back(of_stage(analysis, set, one.name, std::get<ChainStage>(one.subject)));
    }
  }
  return results;
}

bool requirements_hold(const Analysis& analysis) { return std::ranges::all_of(requirement_results(analysis), &RequirementResult::holds); }

std::vector<Row> requirement_rows(const Analysis& analysis) {
  const std::vector<KindOfDag> kinds = kinds_of_dags(analysis.proof);
  const auto kind_of = [&](DagId d) { return *std::ranges::lower_bound(kinds, d, {}, &KindOfDag::last); };
  std::vector<std::string_view> names;
  std::map<std::string_view, std::vector<Row>> by_name;
  std::set<Row> known;
  for (const RequirementResult& one : requirement_results(analysis)) {
    Row row{std::string(one.name),
            one.of,
            optional_bound(one.bound, one.limit),
            optional_time(one.limit),
            one.theorem.empty() ? "-" : one.theorem,
            verdict_of(one)};
    if (one.dag) {
      const std::string& dag = analysis.proof.task_set->dags()[*one.dag].name();
      row[1] = shared_name(analysis.proof, kind_of(*one.dag)) + one.of.substr(dag.size());
    }
    auto& rows = by_name[one.name];
    if (rows.empty()) names.push_back(one.name);
    if (known.insert(row).second) rows.push_back(std::move(row));
  }
  std::vector<Row> all{{"requirement", "of", "bound", "limit", "theorem", "verdict"}};
  for (const std::string_view name : names) all.insert(all.end(), by_name[name].begin(), by_name[name].end());
  return all;
}

nlohmann::ordered_json requirements_json(const Analysis& analysis) {
  auto list = nlohmann::ordered_json::array();
  for (const RequirementResult& one : requirement_results(analysis)) {
    list.push_back({{"requirement", one.name},
                    {"of", one.of},
                    {"bound_ns", json_ns(one.bound)},
                    {"limit_ns", json_ns(one.limit)},
                    {"theorem", one.theorem.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(one.theorem)},
                    {"holds", one.holds()}});
  }
  return list;
}

}  // namespace rta::report
