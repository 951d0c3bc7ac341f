#include "optimization.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>

#include "report/analysis/analysis_words.hpp"
#include "report/parts/text_table.hpp"
#include "rta/analysis/deadlines.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

std::string how_far(const Optimization& report) {
  const std::string tried = fmt::format("{} judged", report.result.scores.size());
  if (report.result.complete) return tried + ": all that differ";
  switch (report.result.ended) {
    case Limit::Cause::request: return tried + ", then interrupted";
    case Limit::Cause::time: return tried + " until time was up";
    case Limit::Cause::effort:
    case Limit::Cause::none: break;
  }
  return tried + ", a part of all";
}

std::string summary(const Optimization& report) {
  const std::string all = report.combinations ? fmt::format("{}", *report.combinations) : "more than 2^64";
  return fmt::format("{} choices, {} combinations, {}", report.outcome.decisions.size(), all, how_far(report));
}

/// What the search minimised, in ns; nothing where some DAG has no bound, or no time is so long.
std::optional<std::int64_t> objective_ns(const optimize::Score& score) {
  constexpr Wide most = std::numeric_limits<std::int64_t>::max();
  if (score.unbounded > 0 || score.first > most || score.first < -most) return std::nullopt;
  return static_cast<std::int64_t>(score.first);
}

/// What would be if this alternative alone were another: the reason for the choice.
std::string instead(const optimize::Alternative& one) {
  if (one.chosen) return "chosen";
  if (!one.judged) return "not judged";
  if (!one.score) return "does not go with the others";
  std::string text;
  if (one.score->unbounded > 0) text = fmt::format("{} without bound", one.score->unbounded);
  if (one.score->missed > 0) text += fmt::format("{}{} missed", text.empty() ? "" : ", ", one.score->missed);
  return text.empty() ? "everything met" : text;
}

std::string objective_in_words(const optimize::Alternative& one, analysis::Objective objective) {
  const auto ns = one.score ? objective_ns(*one.score) : std::nullopt;
  if (!ns) return "";
  const std::string size = time_text(Time(*ns < 0 ? -*ns : *ns));
  return fmt::format("{} {}{}", objective == analysis::Objective::sum ? "sum of bounds" : "largest lateness", *ns < 0 ? "-" : "", size);
}

std::string bound_text(const analysis::Proof& proof, DagId d) {
  const auto& bound = proof.dags[d].bound;
  return bound ? time_text(bound->R) : "none";
}

/// By name: variants and copies may change which DAGs there are.
std::optional<DagId> dag_named(const analysis::Analysis& analysis, const std::string& name) {
  const auto dags = analysis.proof.task_set->dags();
  for (DagId d = 0; d < dags.size(); ++d) {
    if (dags[d].name() == name) return d;
  }
  return std::nullopt;
}

/// Of the DAGs that only the first alternatives have.
void add_gone(const optimize::Outcome& outcome, std::vector<Row>& rows) {
  if (!outcome.before) return;
  const analysis::Proof& before = outcome.before->proof;
  for (DagId d = 0; d < before.dags.size(); ++d) {
    const Dag& dag = before.task_set->dags()[d];
    if (dag_named(*outcome.after, dag.name())) continue;
    rows.push_back(
        {dag.name(), bound_text(before, d), outcome_of(dag, before.dags[d]), "-", dag.deadline() ? time_text(*dag.deadline()) : "-", ""});
  }
}

std::vector<Row> bound_rows(const optimize::Outcome& outcome) {
  std::vector<Row> rows{{"DAG", "before", "", "after", "deadline", "verdict"}};
  const analysis::Proof& after = outcome.after->proof;
  for (DagId d = 0; d < after.dags.size(); ++d) {
    const Dag& dag = after.task_set->dags()[d];
    const auto before = outcome.before ? dag_named(*outcome.before, dag.name()) : std::nullopt;
    rows.push_back({dag.name(), before ? bound_text(outcome.before->proof, *before) : "-",
                    before ? outcome_of(outcome.before->proof.task_set->dags()[*before], outcome.before->proof.dags[*before]) : "",
                    bound_text(after, d), dag.deadline() ? time_text(*dag.deadline()) : "-", outcome_of(dag, after.dags[d])});
  }
  add_gone(outcome, rows);
  return rows;
}

/// On a line of a terminal.
std::string shortened(const std::string& text) {
  constexpr std::size_t most = 90;
  return text.size() <= most ? text : text.substr(0, most) + " ...";
}

Json score_json(const optimize::Score& score) { return {{"unbounded", score.unbounded}, {"missed", score.missed}}; }

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

void print_optimization_text(const Optimization& report, std::ostream& out) {
  const optimize::Outcome& outcome = report.outcome;
  out << fmt::format("{}: {}\n{}\n", to_string(outcome.after->verdict), verdict_sentence(*outcome.after), summary(report));
  if (report.written) out << fmt::format("written to {}\n", *report.written);
  out << "\nChosen, and what any other alternative would mean on its own\n";
  for (const optimize::Decision& decision : outcome.decisions) {
    out << fmt::format("  {}\n", decision.what);
    std::vector<Row> rows;
    for (const optimize::Alternative& one : decision.alternatives)
      rows.push_back({one.chosen ? "*" : "", shortened(one.value), instead(one), objective_in_words(one, report.objective)});
    print_table(out, rows, 4, 4);
  }
  out << fmt::format("\nEnd to end, before (the first alternatives) and after ({})\n", to_string(outcome.after->proof.release));
  print_table(out, bound_rows(outcome), 1);
}

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
  json["choices"] = Json::array();
  for (const optimize::Decision& decision : outcome.decisions) {
    Json one{{"what", decision.what}, {"alternatives", Json::array()}};
    for (const optimize::Alternative& alternative : decision.alternatives) {
      Json of{{"value", alternative.value}, {"chosen", alternative.chosen}};
      of["verdict"] = alternative.score ? Json(to_string(verdict_of(*alternative.score))) : Json(nullptr);
      if (!alternative.judged) of["judged"] = false;
      if (alternative.score) {
        of.update(score_json(*alternative.score));
        const auto ns = objective_ns(*alternative.score);
        of[report.objective == analysis::Objective::sum ? "sum_of_bounds_ns" : "largest_lateness_ns"] = ns ? Json(*ns) : Json(nullptr);
      }
      one["alternatives"].push_back(std::move(of));
    }
    json["choices"].push_back(std::move(one));
  }
  json["before"] = outcome.before ? dags_json(*outcome.before) : Json(nullptr);
  json["after"] = dags_json(*outcome.after);
  json["warnings"] = report.warnings;
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace rta::report
