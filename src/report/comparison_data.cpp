#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "chain_table.hpp"
#include "comparison_printers.hpp"
#include "report/parts/trace_details.hpp"
#include "rta/io/csv.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::report {
namespace {

using io::csv_field;
using Json = nlohmann::ordered_json;

std::string_view late_cause_name(compare::LateCause cause) {
  switch (cause) {
    case compare::LateCause::execution: return "execution";
    case compare::LateCause::invalid: return "invalid";
    case compare::LateCause::unseen: return "unseen";
    case compare::LateCause::machine: break;
  }
  return "machine";
}

/// The requirements of a thing.
Json required(const TaskSet& task_set, const decltype(Requirement::subject)& subject) {
  Json names = Json::array();
  for (const Requirement& one : task_set.requirements()) {
    if (one.subject == subject) names.push_back(one.name);
  }
  return names;
}

Json row_json(const TaskSet& task_set, const compare::Responses& row) {
  Json json;
  json["dag"] = task_set.dags()[row.dag].name();
  if (row.node) json["node"] = task_set.dags()[row.dag].nodes()[*row.node].name;
  json["count"] = row.count();
  const bool any = row.count() > 0;
  json["max_ns"] = any ? Json(row.max().count()) : Json(nullptr);
  json["mean_ns"] = any ? Json(row.mean().count()) : Json(nullptr);
  json["p99_ns"] = any ? Json(row.quantile(990'000).count()) : Json(nullptr);
  json["worst_job"] = any ? Json(row.worst_job) : Json(nullptr);
  json["bound_ns"] = row.bound ? Json(row.bound->count()) : Json(nullptr);
  json["over"] = row.over;
  json["deadline_ns"] = row.deadline ? Json(row.deadline->count()) : Json(nullptr);
  json["missed"] = row.missed;
  if (Json names = required(task_set, ChainStage{row.dag, row.node}); !names.empty()) json["requirements"] = std::move(names);
  return json;
}

Json comparison_json(const TaskSet& task_set, const compare::Comparison& c) {
  Json json;
  json["trace"] = c.trace;
  json["verdict"] = !c.within_bounds() ? "above" : c.conclusive() ? "within" : "nothing-compared";
  json["valid"] = c.valid();
  json["complete"] = c.complete;
  json["lost_records"] = c.lost_records;
  json["over"] = c.over;
  json["missed"] = c.missed;
  json["source"] = c.header.source;
  json["release"] = c.header.release ? Json(*c.header.release) : Json(nullptr);
  json["device"] = c.header.device ? Json(*c.header.device) : Json(nullptr);
  json["driver"] = c.header.driver ? Json(*c.header.driver) : Json(nullptr);
  json["started"] = c.header.started ? Json(*c.header.started) : Json(nullptr);
  json["clock_error_ns"] = c.header.clock_error ? Json(c.header.clock_error->count()) : Json(nullptr);
  json["details"] = details_json(c.header);
  json["dags"] = Json::array();
  for (const auto& row : c.dags) json["dags"].push_back(row_json(task_set, row));
  json["nodes"] = Json::array();
  for (const auto& row : c.nodes) json["nodes"].push_back(row_json(task_set, row));
  if (!c.chains.empty()) {
    json["chains"] = Json::array();
    for (const auto& chain : c.chains) {
      Json& one = json["chains"].emplace_back(chain_json(chain));
      const auto at = std::ranges::find(task_set.chains(), chain.chain, &Chain::name);
      if (at == task_set.chains().end()) continue;
      if (Json names = required(task_set, static_cast<ChainId>(at - task_set.chains().begin())); !names.empty()) {
        one["requirements"] = std::move(names);
      }
    }
  }
  json["violations"] = Json::array();
  for (const compare::Violation& v : c.violations) {
    Json one;
    one["dag"] = task_set.dags()[v.dag].name();
    if (v.node) one["node"] = task_set.dags()[v.dag].nodes()[*v.node].name;
    one["job"] = v.job;
    one["release_ns"] = v.release.count();
    one["response_ns"] = v.response.count();
    one["bound_ns"] = v.bound.count();
    one["reasons"] = v.reasons;
    json["violations"].push_back(std::move(one));
  }
  json["late"] = Json::array();
  for (const compare::LateGroup& group : c.late)
    json["late"].push_back(
        {{"cause", late_cause_name(group.cause)}, {"jobs", group.jobs}, {"most_ns", (group.worst.response - group.worst.bound).count()}});
  json["overheads"] = Json::array();
  for (const compare::SeenOverhead& seen : c.overheads) {
    json["overheads"].push_back({{"pool", name_in_file(task_set.pools()[seen.pool])},
                                 {"jobs", seen.jobs},
                                 {"median_ns", seen.median.count()},
                                 {"p99_ns", seen.of_99_percent.count()},
                                 {"max_ns", seen.max.count()},
                                 {"quiet", seen.quiet()},
                                 {"proposed_ns", seen.proposed().count()}});
  }
  json["checks"] = Json::array();
  for (const auto& check : c.checks) json["checks"].push_back({{"name", check.name}, {"outcome", check.outcome}, {"text", check.text}});
  json["warnings"] = c.warnings;
  return json;
}

/// The requirements of a thing, one after another.
std::string requirement_field(const TaskSet& task_set, const decltype(Requirement::subject)& subject) {
  std::string names;
  for (const Requirement& one : task_set.requirements()) {
    if (one.subject == subject) names += (names.empty() ? "" : " ") + one.name;
  }
  return csv_field(names);
}

}  // namespace

void print_comparison_json(const ComparisonReport& report, std::ostream& out) {
  Json json;
  json["schema"] = 1;
  json["tool"] = {{"name", "rta"}, {"version", RTA_VERSION}};
  json["task_set"] = report.task_set.name();
  json["comparisons"] = Json::array();
  for (const auto& comparison : report.comparisons) {
    json["comparisons"].push_back(comparison_json(report.of(comparison), comparison));
    if (!report.variants.empty()) json["comparisons"].back()["task_set"] = report.of(comparison).name();
  }
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

// One row per trace and DAG or node, then one per chain with columns of its own, and a last column where things are required; an empty
// field is "none".
void print_comparison_csv(const ComparisonReport& report, std::ostream& out) {
  constexpr std::size_t response_columns = 12;
  const bool chains = std::ranges::any_of(report.comparisons, [](const auto& c) { return !c.chains.empty(); });
  const bool required = std::ranges::any_of(report.comparisons, [&](const auto& c) { return !report.of(c).requirements().empty(); });
  const std::string no_chain(chains ? seen_chain_column_count : 0, ',');
  out << "trace,dag,node,count,max_ns,mean_ns,p99_ns,bound_ns,bound_over_max,over,deadline_ns,missed"
      << (chains ? fmt::format(",{}", seen_chain_columns) : "") << (required ? ",requirement" : "") << "\r\n";
  for (const compare::Comparison& c : report.comparisons) {
    for (const auto* rows : {&c.dags, &c.nodes}) {
      for (const compare::Responses& row : *rows) {
        const Dag& dag = report.of(c).dags()[row.dag];
        const bool any = row.count() > 0;
        const auto ns = [&](auto value) { return any ? fmt::format("{}", value().count()) : std::string(); };
        out << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}{}{}\r\n", csv_field(c.trace), csv_field(dag.name()),
                           row.node ? csv_field(dag.nodes()[*row.node].name) : "", row.count(), ns([&] { return row.max(); }),
                           ns([&] { return row.mean(); }), ns([&] { return row.quantile(990'000); }),
                           row.bound ? fmt::format("{}", row.bound->count()) : "", bound_over_max(row), row.over,
                           row.deadline ? fmt::format("{}", row.deadline->count()) : "", row.missed, no_chain,
                           required ? "," + requirement_field(report.of(c), ChainStage{row.dag, row.node}) : "");
      }
    }
    for (const compare::ComparedChain& chain : c.chains) {
      out << csv_field(c.trace) << std::string(response_columns, ',') << chain_fields(chain);
      const auto& all = report.of(c).chains();
      const auto at = std::ranges::find(all, chain.chain, &Chain::name);
      if (required) out << ',' << (at == all.end() ? "" : requirement_field(report.of(c), static_cast<ChainId>(at - all.begin())));
      out << "\r\n";
    }
  }
}

}  // namespace rta::report
