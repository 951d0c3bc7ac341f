#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "simulation_printers.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

Json json_row(const ResponseRow& r) {
  Json json;
  json["dag"] = r.dag;
  if (!r.node.empty()) {
    json["node"] = r.node;
    json["pool"] = r.pool;
  }
  json["theorem"] = r.bound ? Json(r.theorem) : Json(nullptr);
  json["response_bound_ns"] = r.bound ? Json(r.bound->count()) : Json(nullptr);
  json["observed_max_ns"] = r.count > 0 ? Json(r.max.count()) : Json(nullptr);
  json["worst_job"] = r.count > 0 ? Json(r.worst_job) : Json(nullptr);
  if (r.mean_ns) json["observed_mean_ns"] = *r.mean_ns;
  if (r.p99) json["observed_p99_ns"] = r.p99->count();
  json["jobs"] = r.count;
  json["above_bound"] = r.over();
  return json;
}

// RFC 4180.
std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted.push_back('"');
    quoted.push_back(c);
  }
  return quoted + '"';
}

}  // namespace

void print_simulation_json(const SimulationReport& report, std::ostream& out) {
  Json json;
  json["schema"] = 1;
  json["tool"] = {{"name", "rta"}, {"version", RTA_VERSION}};
  json["task_set"] = report.task_set;
  json["verdict"] = report.verdict;
  json["simulation"] = Json::object();
  for (const auto& [name, value] : report.facts) json["simulation"][name] = value;
  if (report.operations.empty()) {
    json["dags"] = Json::array();
    for (const ResponseRow& r : report.dags) json["dags"].push_back(json_row(r));
    json["nodes"] = Json::array();
    for (const ResponseRow& r : report.nodes) json["nodes"].push_back(json_row(r));
  } else {
    json["operations"] = Json::array();
    for (const OperationRow& r : report.operations) {
      json["operations"].push_back({{"name", r.name},
                                    {"stream", r.stream},
                                    {"pool", r.pool},
                                    {"issued_ns", r.issued.count()},
                                    {"start_ns", r.start.count()},
                                    {"end_ns", r.end.count()},
                                    {"blocks", r.place}});
    }
  }
  json["warnings"] = report.warnings;
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

// One row per DAG (empty node) and node, or per operation.
void print_simulation_csv(const SimulationReport& report, std::ostream& out) {
  if (!report.operations.empty()) {
    out << "operation,stream,pool,blocks,issued_ns,start_ns,end_ns\r\n";
    for (const OperationRow& r : report.operations) {
      out << fmt::format("{},{},{},{},{},{},{}\r\n", field(r.name), field(r.stream), field(r.pool), field(r.place), r.issued.count(),
                         r.start.count(), r.end.count());
    }
    return;
  }
  out << "dag,node,pool,theorem,response_bound_ns,observed_max_ns,worst_job,observed_mean_ns,observed_p99_ns,jobs,above_bound\r\n";
  for (const auto* rows : {&report.dags, &report.nodes}) {
    for (const ResponseRow& r : *rows) {
      out << fmt::format("{},{},{},{},{},{},{},{},{},{},{}\r\n", field(r.dag), field(r.node), field(r.pool), r.bound ? r.theorem : "",
                         r.bound ? fmt::format("{}", r.bound->count()) : "", r.count > 0 ? fmt::format("{}", r.max.count()) : "",
                         r.count > 0 ? fmt::format("{}", r.worst_job) : "", r.mean_ns ? fmt::format("{:.1f}", *r.mean_ns) : "",
                         r.p99 ? fmt::format("{}", r.p99->count()) : "", r.count, r.over());
    }
  }
}

}  // namespace rta::report
