#include "priority_words.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

namespace rta::report {
namespace {

using analysis::AssignedBy;
using analysis::PriorityAssignment;

std::string names(const TaskSet& task_set, const PriorityAssignment::OfDags& of) {
  const std::string& first = task_set.dags()[of.first].name();
  return of.first == of.last ? first : first + " ... " + task_set.dags()[of.last].name();
}

std::string how(AssignedBy by) {
  switch (by) {
    case AssignedBy::given: return "the given ones stay";
    case AssignedBy::deadline_monotonic: return "deadline monotonic";
    case AssignedBy::audsley: return "Audsley's assignment";
    case AssignedBy::search: return "found by search";
  }
  return "";
}

}  // namespace

std::string assignment_in_words(const analysis::Analysis& analysis) {
  const PriorityAssignment& of = *analysis.assignment;
  return fmt::format("{}; {} assignment{} proven{}", how(of.by), of.tried, of.tried == 1 ? "" : "s",
                     of.complete ? "" : ", not all that the search may try");
}

std::vector<Row> assignment_rows(const analysis::Analysis& analysis) {
  std::vector<Row> rows{{"DAG", "in the file"}};
  for (const auto& of : analysis.assignment->dags) {
    rows.push_back({names(*analysis.proof.task_set, of),
                    fmt::format("priority: {}{}", of.priority, of.nodes_had_own ? ", and none of its CPU nodes' own" : "")});
  }
  return rows;
}

void print_assignment(const analysis::Analysis& analysis, std::ostream& out) {
  if (!analysis.assignment) return;
  out << fmt::format("\nFixed priorities ({})\n", assignment_in_words(analysis));
  if (!analysis.assignment->dags.empty()) print_table(out, assignment_rows(analysis), 2);
}

nlohmann::ordered_json assignment_json(const analysis::Analysis& analysis) {
  const PriorityAssignment& of = *analysis.assignment;
  nlohmann::ordered_json json;
  json["by"] = to_string(of.by);
  json["tried"] = of.tried;
  json["complete"] = of.complete;
  json["dags"] = nlohmann::ordered_json::array();
  const auto dags = analysis.proof.task_set->dags();
  for (const auto& kind : of.dags) {
    for (DagId d = kind.first; d <= kind.last; ++d) {
      json["dags"].push_back({{"name", dags[d].name()}, {"priority", kind.priority}, {"nodes_had_own", kind.nodes_had_own}});
    }
  }
  return json;
}

}  // namespace rta::report
