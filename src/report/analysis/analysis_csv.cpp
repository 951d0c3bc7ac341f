#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "analysis_chains.hpp"
#include "analysis_printers.hpp"
#include "analysis_words.hpp"
#include "rate_words.hpp"
#include "report/parts/times.hpp"
#include "rta/analysis/assumptions.hpp"
#include "rta/analysis/deadlines.hpp"
#include "rta/io/csv.hpp"

namespace rta::report {
namespace {

using io::csv_field;

constexpr std::size_t columns = 15;
constexpr std::size_t slack_columns = 8;
constexpr std::size_t rate_columns = 3;

std::string slack_of_node(const analysis::Slack& slack, DagId d, NodeId v) {
  const auto at = std::ranges::find_if(slack.nodes, [&](const analysis::NodeSlack& of) { return of.dag == d && of.node == v; });
  if (at == slack.nodes.end()) return ",,,,";
  return fmt::format(",{},{},{},{}", at->piece.value.count(), at->piece.covered, at->pieces ? fmt::format("{}", at->pieces->value) : "",
                     at->pieces ? fmt::format("{}", at->pieces->covered) : "");
}

std::string slack_of_dag(const analysis::Slack& slack, DagId d) {
  const auto at = std::ranges::find(slack.dags, d, &analysis::DagSlack::dag);
  if (at == slack.dags.end()) return ",,,,";
  return fmt::format(",{},{},{},{}", at->period.value.count(), at->period.covered,
                     at->deadline ? fmt::format("{}", at->deadline->value.count()) : "",
                     at->deadline ? fmt::format("{}", at->deadline->covered) : "");
}

/// The first of DAGs that are equal but for their name has what belongs to all of them.
std::string slack_fields(const analysis::Analysis& analysis, DagId d, NodeId v) {
  return analysis.slack ? slack_of_node(*analysis.slack, d, v) + slack_of_dag(*analysis.slack, d) : std::string();
}

/// Of the last --largest-rate that is about this DAG.
std::string rate_fields(const analysis::Analysis& analysis, DagId d) {
  if (analysis.rates.empty()) return {};
  const analysis::LargestRate* of_dag = nullptr;
  for (const analysis::LargestRate& rate : analysis.rates) {
    if (rate.dags.first <= d && d <= rate.dags.last) of_dag = &rate;
  }
  if (of_dag == nullptr || !of_dag->found) return ",,,";
  return fmt::format(",{},{},{}", of_dag->found->T.count(), per_second(of_dag->found->T), of_dag->bound().R.count());
}

/// What bounds on each pool rest on.
std::vector<std::string> assumed_by_pool(const analysis::Analysis& analysis) {
  std::vector<std::string> texts(analysis.proof.task_set->pools().size());
  for (const analysis::Assumption& one : assumptions(analysis.proof, analysis.chains)) {
    std::string& text = texts[one.pool];
    text += (text.empty() ? "" : "; ") + one.text;
  }
  return texts;
}

}  // namespace

// One row per node (with slack and largest rates where they were asked for), and where there are chains one per chain with columns of their
// own; the end-to-end columns repeat on the rows of a DAG. An empty field is "no bound" or "not given".
void CsvPrinter::print(const analysis::Analysis& analysis, std::ostream& out) const {
  const analysis::Proof& proof = analysis.proof;
  out << "dag,node,pool,theorem,period_ns,offset_ns,priority_point_ns,response_bound_ns,dag_response_bound_ns,dag_deadline_ns,dag_meets_"
         "deadline,priority,node_deadline_ns,node_meets_deadline,assumed"
      << (analysis.slack
              ? ",largest_piece_ns,piece_covered,largest_B,B_covered,dag_least_period_ns,dag_period_covered,dag_least_deadline_ns,"
                "dag_deadline_covered"
              : "")
      << (analysis.rates.empty() ? "" : ",rate_period_ns,rate_per_second,rate_response_bound_ns") << chain_columns(analysis) << "\r\n";
  const std::vector<std::string> assumed = assumed_by_pool(analysis);
  const auto R = [](const std::optional<analysis::Bound>& bound) { return bound ? csv_ns(bound->R) : std::string(); };
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const Dag& dag = proof.task_set->dags()[d];
    const analysis::DagProof& of_dag = proof.dags[d];
    for (NodeId v = 0; v < of_dag.nodes.size(); ++v) {
      const Node& node = dag.nodes()[v];
      const analysis::NodeProof& of_node = of_dag.nodes[v];
      out << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}{}{}\r\n", csv_field(dag.name()), csv_field(node.name),
                         csv_field(proof.task_set->pools()[node.pool].name),
                         of_node.bound ? to_string(of_node.bound->basis.theorem) : std::string_view(), dag.nominal_period().count(),
                         csv_ns(offset_of(proof, of_node)), csv_ns(of_node.priority_point), R(of_node.bound), R(of_dag.bound),
                         csv_ns(dag.deadline()), of_dag.meets(dag.deadline()),
                         of_node.priority ? fmt::format("{}", *of_node.priority) : std::string(), csv_ns(own_deadline(dag, v)),
                         own_deadline(dag, v) ? fmt::format("{}", meets_own_deadline(proof, d, v)) : "", csv_field(assumed[node.pool]),
                         slack_fields(analysis, d, v) + rate_fields(analysis, d), no_chain_columns(analysis));
    }
  }
  print_chain_lines(analysis, columns + (analysis.slack ? slack_columns : 0) + (analysis.rates.empty() ? 0 : rate_columns), out);
}

}  // namespace rta::report
