#include <fmt/format.h>

#include <ostream>
#include <string>

#include "analysis_printers.hpp"
#include "rta/io/csv.hpp"

namespace rta::report {
namespace {

using io::csv_field;

std::string ns(const std::optional<Time>& time) { return time ? fmt::format("{}", time->count()) : std::string(); }

}  // namespace

// One row per node; the end-to-end columns repeat on the rows of a DAG. An empty field is "no bound" or "not given".
void CsvPrinter::print(const analysis::Analysis& analysis, std::ostream& out) const {
  const TaskSet& task_set = *analysis.task_set;
  out << "dag,node,pool,theorem,period_ns,offset_ns,priority_point_ns,response_bound_ns,dag_response_bound_ns,dag_deadline_ns,dag_meets_"
         "deadline\r\n";
  std::string rows;
  for (DagId d = 0; d < analysis.dags.size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    const auto& bound = analysis.dags[d];
    for (NodeId v = 0; v < bound.nodes.size(); ++v) {
      const Node& node = dag.nodes()[v];
      const auto& n = bound.nodes[v];
      rows.clear();
      fmt::format_to(std::back_inserter(rows), "{},{},{},{},{},{},{},{},{},{},{}\r\n", csv_field(dag.name()), csv_field(node.name),
                     csv_field(task_set.pools()[node.pool].name), n.theorem, dag.period().count(), ns(n.offset), ns(n.priority_point),
                     ns(n.R), ns(bound.R), ns(dag.deadline()), bound.meets(dag.deadline()));
      out << rows;
    }
  }
}

}  // namespace rta::report
