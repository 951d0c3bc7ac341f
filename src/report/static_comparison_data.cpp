#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "report/parts/trace_details.hpp"
#include "rta/io/csv.hpp"
#include "static_comparison_printers.hpp"

namespace rta::report {
namespace {

using io::csv_field;
using Json = nlohmann::ordered_json;

constexpr std::uint32_t ppm99 = 990'000;

Json observed_json(const compare::Observed& observed) {
  if (observed.count() == 0) return nullptr;
  return {{"max_ns", observed.max().count()}, {"p99_ns", observed.quantile(ppm99).count()}, {"mean_ns", observed.mean().count()}};
}

Json runnable_json(const compare::PlayedRunnable& r) {
  const bool any = r.execution.count() > 0;
  Json json;
  json["epoch"] = r.epoch;
  json["name"] = r.name;
  json["jobs"] = r.execution.count();
  json["wcet_ns"] = r.wcet.count();
  json["execution"] = observed_json(r.execution);
  json["over"] = r.over;
  json["worst_job"] = any ? Json(r.worst_job) : Json(nullptr);
  json["wake_up"] = observed_json(r.wake_up);
  json["start_jitter_ns"] = r.start_jitter.count();
  json["latest_end_ns"] = any ? Json(r.latest.count()) : Json(nullptr);
  json["proven_end_ns"] = any ? Json(r.proven.count()) : Json(nullptr);
  json["slack_ns"] = r.slack ? Json(r.slack->count()) : Json(nullptr);
  json["late"] = r.late;
  return json;
}

Json comparison_json(const StaticComparisonReport& report, const compare::StaticComparison& c) {
  Json json;
  json["trace"] = c.trace;
  json["verdict"] = !c.conclusive() ? "nothing-compared" : c.as_proven() ? "as-proven" : "not-as-proven";
  json["valid"] = c.valid();
  json["complete"] = c.complete;
  json["lost_records"] = c.lost_records;
  json["over"] = c.over;
  json["late"] = c.late;
  json["unexplained"] = c.unexplained;
  json["early"] = c.early;
  json["source"] = c.header.source;
  json["device"] = c.header.device ? Json(*c.header.device) : Json(nullptr);
  json["started"] = c.header.started ? Json(*c.header.started) : Json(nullptr);
  json["details"] = details_json(c.header);
  json["hyperepochs"] = Json::array();
  for (std::size_t h = 0; h < c.hyperepochs.size(); ++h) {
    const compare::PlayedHyperepoch& played = c.hyperepochs[h];
    const static_order::ScheduledHyperepoch& is = report.schedule.hyperepochs[h];
    json["hyperepochs"].push_back({{"name", is.name},
                                   {"period_ns", is.period.count()},
                                   {"proven_length_ns", is.length.count()},
                                   {"frames", played.frames},
                                   {"skipped", played.skipped},
                                   {"incomplete", played.incomplete},
                                   {"longer", played.longer},
                                   {"length", observed_json(played.length)}});
  }
  json["runnables"] = Json::array();
  for (const compare::PlayedRunnable& r : c.runnables) json["runnables"].push_back(runnable_json(r));
  json["resources"] = Json::array();
  for (const compare::PlayedResource& r : c.resources)
    json["resources"].push_back({{"name", r.name},
                                 {"hyperepoch", report.schedule.hyperepochs[r.hyperepoch].name},
                                 {"planned_ppm", r.planned},
                                 {"busy_ppm", r.busy}});
  json["late_jobs"] = Json::array();
  for (const compare::LateJob& job : c.late_jobs)
    json["late_jobs"].push_back({{"epoch", job.epoch},
                                 {"name", job.name},
                                 {"job", job.job},
                                 {"end_ns", job.end.count()},
                                 {"proven_ns", job.proven.count()},
                                 {"wake_ups_ns", job.wake_ups.count()},
                                 {"reasons", job.reasons}});
  json["checks"] = Json::array();
  for (const auto& check : c.checks) json["checks"].push_back({{"name", check.name}, {"outcome", check.outcome}, {"text", check.text}});
  json["warnings"] = c.warnings;
  return json;
}

}  // namespace

void print_static_comparison_json(const StaticComparisonReport& report, std::ostream& out) {
  Json json;
  json["schema"] = 1;
  json["tool"] = {{"name", "rta"}, {"version", RTA_VERSION}};
  json["schedule"] = report.file;
  json["graph"] = report.schedule.graph;
  json["comparisons"] = Json::array();
  for (const auto& comparison : report.comparisons) json["comparisons"].push_back(comparison_json(report, comparison));
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

// One row per trace and runnable; an empty field is "none".
void print_static_comparison_csv(const StaticComparisonReport& report, std::ostream& out) {
  out << "trace,epoch,runnable,jobs,wcet_ns,max_ns,p99_ns,mean_ns,over,wake_up_max_ns,wake_up_p99_ns,start_jitter_ns,latest_end_ns,"
         "proven_end_ns,slack_ns,late\r\n";
  for (const compare::StaticComparison& c : report.comparisons) {
    for (const compare::PlayedRunnable& r : c.runnables) {
      const bool any = r.execution.count() > 0;
      const auto ns = [&](auto value) { return any ? fmt::format("{}", value().count()) : std::string(); };
      out << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", csv_field(c.trace), csv_field(r.epoch), csv_field(r.name),
                         r.execution.count(), r.wcet.count(), ns([&] { return r.execution.max(); }),
                         ns([&] { return r.execution.quantile(ppm99); }), ns([&] { return r.execution.mean(); }), r.over,
                         ns([&] { return r.wake_up.max(); }), ns([&] { return r.wake_up.quantile(ppm99); }),
                         ns([&] { return r.start_jitter; }), ns([&] { return r.latest; }), ns([&] { return r.proven; }),
                         ns([&] { return *r.slack; }), r.late);
    }
  }
}

}  // namespace rta::report
