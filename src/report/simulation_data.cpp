#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "chain_table.hpp"
#include "rta/io/csv.hpp"
#include "simulation_printers.hpp"
#include "wait_words.hpp"

namespace rta::report {
namespace {

using io::csv_field;
using Json = nlohmann::ordered_json;

Json json_time(const std::optional<Time>& time) { return time ? Json(time->count()) : Json(nullptr); }
std::string csv_time(const std::optional<Time>& time) { return time ? fmt::format("{}", time->count()) : ""; }

Json json_row(const ResponseRow& r) {
  Json json;
  json["dag"] = r.dag;
  if (!r.node.empty()) {
    json["node"] = r.node;
    json["pool"] = r.pool;
  }
  json["theorem"] = r.bound ? Json(r.theorem) : Json(nullptr);
  json["response_bound_ns"] = json_time(r.bound);
  json["observed_max_ns"] = r.count > 0 ? Json(r.max.count()) : Json(nullptr);
  json["worst_job"] = r.count > 0 ? Json(r.worst_job) : Json(nullptr);
  if (r.mean_ns) json["observed_mean_ns"] = *r.mean_ns;
  if (r.p99) json["observed_p99_ns"] = r.p99->count();
  json["jobs"] = r.count;
  json["above_bound"] = r.over();
  if (r.attained) json["attained"] = *r.attained;
  json["deadline_ns"] = json_time(r.deadline);
  json["missed_deadline"] = r.missed();
  if (r.misses) json["misses"] = *r.misses;
  return json;
}

Json json_waits(const OperationRow& r) {
  Json waits = Json::array();
  for (const OperationWait& wait : r.waits) {
    waits.push_back({{"from_ns", wait.from.count()}, {"to_ns", wait.to.count()}, {"cause", to_string(wait.cause)}, {"for", wait.of}});
  }
  return waits;
}

constexpr std::size_t above_bound_column = 10;  // has the same meaning in rows of chains
constexpr std::size_t response_column_count = 14;

void print_chain_line(const compare::ComparedChain& chain, std::ostream& out) {
  out << std::string(above_bound_column, ',') << (chain.over() ? "true" : "false")
      << std::string(response_column_count - above_bound_column, ',') << chain_fields(chain) << "\r\n";
}

/// For programs, as the exit status says; an experiment has nothing to be compared with.
const char* verdict_of(const SimulationReport& report) {
  bool compared = false, over = false, missed = false;
  for (const auto* rows : {&report.dags, &report.nodes}) {
    for (const ResponseRow& r : *rows) {
      compared = compared || (r.count > 0 && (r.bound || r.deadline));
      over = over || r.over();
      missed = missed || r.missed();
    }
  }
  for (const compare::ComparedChain& chain : report.chains) {
    over = over || chain.over();
    missed = missed || chain.missed();
  }
  return over ? "above" : missed ? "deadline-missed" : compared ? "within" : "nothing-compared";
}

}  // namespace

void print_simulation_json(const SimulationReport& report, std::ostream& out) {
  Json json;
  json["schema"] = 1;
  json["tool"] = {{"name", "rta"}, {"version", RTA_VERSION}};
  json["task_set"] = report.task_set;
  json["verdict"] = verdict_of(report);
  json["summary"] = report.verdict;
  json["simulation"] = Json::object();
  for (const SimulationFact& fact : report.facts) {
    for (const auto& [key, number] : fact.numbers) json["simulation"][key] = number;
    if (fact.numbers.empty()) json["simulation"][fact.name] = fact.text;
  }
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
                                    {"issued_ns", json_time(r.issued)},
                                    {"start_ns", json_time(r.start)},
                                    {"end_ns", json_time(r.end)},
                                    {"blocks", r.place},
                                    {"waits", json_waits(r)}});
    }
  }
  if (!report.chains.empty()) {
    json["chains"] = Json::array();
    for (const compare::ComparedChain& chain : report.chains) json["chains"].push_back(chain_json(chain));
  }
  if (report.operations.empty()) json["assumed"] = report.assumed;
  json["warnings"] = report.warnings;
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

// One row per DAG (empty node) and node, then one per chain with columns of its own; or one per operation.
void print_simulation_csv(const SimulationReport& report, std::ostream& out) {
  if (!report.operations.empty()) {
    out << "operation,stream,pool,blocks,issued_ns,start_ns,end_ns,waits_for\r\n";
    for (const OperationRow& r : report.operations) {
      out << fmt::format("{},{},{},{},{},{},{},{}\r\n", csv_field(r.name), csv_field(r.stream), csv_field(r.pool), csv_field(r.place),
                         csv_time(r.issued), csv_time(r.start), csv_time(r.end), csv_field(waits_text(r.name, r.waits)));
    }
    return;
  }
  out << "dag,node,pool,theorem,response_bound_ns,observed_max_ns,worst_job,observed_mean_ns,observed_p99_ns,jobs,above_bound,deadline_ns,"
         "missed_deadline,misses"
      << (report.chains.empty() ? "" : fmt::format(",{}", seen_chain_columns)) << "\r\n";
  const std::string no_chain(report.chains.empty() ? 0 : seen_chain_column_count, ',');
  for (const auto* rows : {&report.dags, &report.nodes}) {
    for (const ResponseRow& r : *rows) {
      out << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}{}\r\n", csv_field(r.dag), csv_field(r.node), csv_field(r.pool),
                         r.bound ? r.theorem : "", csv_time(r.bound), r.count > 0 ? fmt::format("{}", r.max.count()) : "",
                         r.count > 0 ? fmt::format("{}", r.worst_job) : "", r.mean_ns ? fmt::format("{:.1f}", *r.mean_ns) : "",
                         csv_time(r.p99), r.count, r.over(), csv_time(r.deadline), r.missed(), r.misses ? fmt::format("{}", *r.misses) : "",
                         no_chain);
    }
  }
  for (const compare::ComparedChain& chain : report.chains) print_chain_line(chain, out);
}

}  // namespace rta::report
