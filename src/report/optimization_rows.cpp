#include "optimization_rows.hpp"

#include <fmt/format.h>

#include <limits>

#include "report/analysis/analysis_words.hpp"
#include "rta/analysis/deadlines.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

/// On a line of a terminal.
std::string shortened(const std::string& text) {
  constexpr std::size_t most = 90;
  return text.size() <= most ? text : text.substr(0, most) + " ...";
}

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

std::string bound_of(const analysis::Proof& proof, DagId d) {
  const auto& bound = proof.dags[d].bound;
  return bound ? bound_text(bound->R, proof.task_set->dags()[d].deadline()) : "none";
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
        {dag.name(), bound_of(before, d), outcome_of(dag, before.dags[d]), "-", dag.deadline() ? time_text(*dag.deadline()) : "-", ""});
  }
}

}  // namespace

std::string summary(const Optimization& report) {
  const std::string all = report.combinations ? fmt::format("{}", *report.combinations) : "more than 2^64";
  const std::size_t choices = report.outcome.decisions.size();
  return fmt::format("{} choice{}, {} combination{}, {}", choices, choices == 1 ? "" : "s", all, all == "1" ? "" : "s", how_far(report));
}

std::optional<std::int64_t> objective_ns(const optimize::Score& score) {
  constexpr Wide most = std::numeric_limits<std::int64_t>::max();
  if (score.unbounded > 0 || score.first > most || score.first < -most) return std::nullopt;
  return static_cast<std::int64_t>(score.first);
}

std::string meaning_of(const optimize::Alternative& one) {
  if (one.chosen) return "chosen";
  if (!one.judged) return "not judged";
  if (!one.score) return "does not go with the others";
  std::string text;
  if (one.score->unbounded > 0) text = fmt::format("{} without bound", one.score->unbounded);
  if (one.score->missed > 0) text += fmt::format("{}{} missed", text.empty() ? "" : ", ", one.score->missed);
  return text.empty() ? "everything met" : text;
}

std::string minimised_text(const optimize::Alternative& one) {
  const auto ns = one.score ? objective_ns(*one.score) : std::nullopt;
  return ns ? rounded_text(Time(*ns)) : std::string();
}

const char* minimised_in_words(const Optimization& report) {
  return report.objective == analysis::Objective::sum ? "sum of bounds" : "largest lateness";
}

std::vector<Row> alternative_rows(const optimize::Decision& decision, const Optimization& report) {
  std::vector<Row> rows;
  for (const optimize::Alternative& one : decision.alternatives) {
    Row& row = rows.emplace_back(Row{one.chosen ? "*" : "", shortened(one.value), meaning_of(one)});
    const std::string minimised = minimised_text(one);
    row.push_back(minimised.empty() ? minimised : fmt::format("{} {}", minimised_in_words(report), minimised));
    if (one.cost) row.push_back(fmt::format("cost {}", *one.cost));
  }
  return rows;
}

std::vector<Row> frontier_rows(const optimize::Outcome& outcome) {
  std::vector<Row> rows{{"cost", "largest lateness", "combination"}};
  for (const optimize::OnFrontier& one : outcome.frontier) {
    std::string text;
    for (const optimize::Departure& from : one.departures)
      text += fmt::format("{}{} {}", text.empty() ? "" : "; ", from.what, shortened(from.value));
    rows.push_back({fmt::format("{}", one.cost), rounded_text(to_time(one.lateness)), text.empty() ? "chosen" : text});
  }
  return rows;
}

std::vector<Row> before_and_after_rows(const optimize::Outcome& outcome) {
  std::vector<Row> rows{{"DAG", "before", "", "after", "deadline", "verdict"}};
  const analysis::Proof& after = outcome.after->proof;
  for (DagId d = 0; d < after.dags.size(); ++d) {
    const Dag& dag = after.task_set->dags()[d];
    const auto before = outcome.before ? dag_named(*outcome.before, dag.name()) : std::nullopt;
    rows.push_back({dag.name(), before ? bound_of(outcome.before->proof, *before) : "-",
                    before ? outcome_of(outcome.before->proof.task_set->dags()[*before], outcome.before->proof.dags[*before]) : "",
                    bound_of(after, d), dag.deadline() ? time_text(*dag.deadline()) : "-", outcome_of(dag, after.dags[d])});
  }
  add_gone(outcome, rows);
  return rows;
}

}  // namespace rta::report
