#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "report/parts/json_time.hpp"
#include "rta/io/csv.hpp"
#include "rta/report/time_text.hpp"
#include "schedule_printers.hpp"
#include "schedule_words.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;
using io::csv_field;
using static_order::Decision;
using static_order::HyperepochProof;
using static_order::ScheduledHyperepoch;
using static_order::ScheduledRunnable;

Json decision_json(const ScheduledHyperepoch& h, const Decision& decision) {
  constexpr std::array<const char*, 6> words{"release", "dependency", "submitter_start", "resource", "stream", "path"};
  Json json;
  json["by"] = words[static_cast<std::size_t>(decision.by)];
  if (decision.by == Decision::By::release) return json;
  json["id"] = decision.predecessor;
  json["runnable"] = h.runnables[decision.predecessor].full_name();
  if (decision.by == Decision::By::resource || decision.by == Decision::By::stream) json["resource"] = h.resources[decision.resource].name;
  return json;
}

Json runnable_json(const ScheduledHyperepoch& h, std::size_t id, const HyperepochReport& report) {
  const ScheduledRunnable& r = h.runnables[id];
  Json json;
  json["id"] = id;
  json["name"] = r.full_name();
  if (!r.steps.empty()) json["steps"] = r.steps;
  json["kind"] = to_string(r.role);
  json["epoch"] = h.epochs[r.epoch].name;
  json["frame"] = r.frame;
  json["resources"] = Json::array();
  for (const std::size_t resource : r.resources) json["resources"].push_back(h.resources[resource].name);
  if (r.stream) json["stream"] = h.resources[*r.stream].name;
  if (!r.after.empty()) json["after"] = r.after;
  if (!r.after_start.empty()) json["after_start"] = r.after_start;
  json["release_ns"] = r.release.count();
  json["wcet_ns"] = r.wcet.count();
  json["deadline_ns"] = json_ns(r.deadline);
  const bool proven = report.proof != nullptr;
  json["start_ns"] = proven ? report.proof->runnables[id].start.count() : r.start.count();
  json["end_ns"] = proven ? report.proof->runnables[id].end.count() : r.end.count();
  if (!proven) return json;
  json["slack_ns"] = json_ns(report.proof->runnables[id].slack);
  json["decided_by"] = decision_json(h, report.proof->runnables[id].decision);
  if (id < report.observed.size() && report.observed[id]) {
    json["observed_start_ns"] = report.observed[id]->earliest_start.count();
    json["observed_end_ns"] = report.observed[id]->latest_end.count();
  }
  return json;
}

Json obstacle_json(const static_order::Obstacle& obstacle) {
  constexpr std::array<const char*, 5> words{"chain", "resource", "resources", "gpu", "search"};
  return {{"kind", words[static_cast<std::size_t>(obstacle.kind)]},
          {"resources", obstacle.resources},
          {"runnables", obstacle.runnables},
          {"from_ns", obstacle.from.count()},
          {"work_ns", obstacle.work.count()},
          {"late_ns", std::max(obstacle.late, Time::zero()).count()},
          {"text", obstacle_text(obstacle)}};
}

Json hyperepoch_json(const ScheduleReport& report, std::size_t index) {
  const ScheduledHyperepoch& h = report.schedule.hyperepochs[index];
  const HyperepochReport& known = report.hyperepochs[index];
  Json json;
  json["name"] = h.name;
  json["period_ns"] = h.period.count();
  json["length_ns"] = known.proof != nullptr ? Json(known.proof->length.count()) : Json(nullptr);
  json["lower_bound_ns"] = h.lower_bound.count();
  if (known.compiled != nullptr) {
    constexpr std::array<const char*, 4> endings{"optimal", "effort", "time-limit", "interrupted"};
    json["ending"] = endings[static_cast<std::size_t>(known.compiled->ending)];
    json["objective_ns"] = known.compiled->objective.count();
    json["objective_bound_ns"] = known.compiled->objective_bound.count();
    json["bound_reason"] = obstacle_json(known.compiled->reason);
    json["late_reason"] = known.compiled->late ? obstacle_json(*known.compiled->late) : Json(nullptr);
  }
  if (known.proof != nullptr) {
    json["in_time"] = known.proof->lateness <= Time::zero();
    json["lateness_ns"] = known.proof->lateness.count();
    json["wcet_scale"] = known.proof->scale ? Json::parse(scale_text(*known.proof->scale)) : Json(nullptr);
    json["critical_path"] = known.proof->critical_path;
    json["frames"] = Json::array();
    for (const static_order::FrameProof& frame : known.proof->frames)
      json["frames"].push_back({{"epoch", h.epochs[frame.epoch].name},
                                {"frame", frame.frame},
                                {"start_ns", frame.start.count()},
                                {"end_ns", frame.end.count()}});
  }
  json["sharing"] = Json::array();
  for (const static_order::Sharing& s : h.sharing)
    json["sharing"].push_back({{"resource", h.resources[s.resource].name},
                               {"by", s.by == static_order::Sharing::By::weights ? "weights" : "streams"},
                               {"capacity", s.capacity}});
  json["resources"] = Json::array();
  for (const static_order::ScheduledResource& r : h.resources) json["resources"].push_back({{"name", r.name}, {"type", r.type}});
  json["runnables"] = Json::array();
  for (std::size_t id = 0; id < h.runnables.size(); ++id) {
    const ScheduledRunnable& r = h.runnables[id];
    // The start of a frame takes no time; where it takes no resource either it is none of the runnables that somebody wrote.
    if (r.role != static_order::Role::frame_sync || !r.resources.empty()) json["runnables"].push_back(runnable_json(h, id, known));
  }
  return json;
}

}  // namespace

void print_schedule_json(const ScheduleReport& report, std::ostream& out) {
  Json json;
  json["schema"] = 1;
  json["tool"] = {{"name", "rta"}, {"version", RTA_VERSION}};
  json["graph"] = report.schedule.graph;
  json["graph_sha256"] = report.schedule.graph_sha256;
  json["identifier"] = report.schedule.identifier;
  json["submittee"] = to_string(report.schedule.submittee);
  json["objective"] = to_string(report.objective);
  json["verdict"] = report.good() ? (report.faults != nullptr ? "sound" : "in-time") : (report.faults != nullptr ? "not-sound" : "late");
  if (report.faults != nullptr) {
    json["faults"] = Json::array();
    for (const static_order::Fault& fault : *report.faults) json["faults"].push_back(fault_text(report.schedule, fault));
  }
  json["hyperepochs"] = Json::array();
  for (std::size_t i = 0; i < report.schedule.hyperepochs.size(); ++i) json["hyperepochs"].push_back(hyperepoch_json(report, i));
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void print_schedule_csv(const ScheduleReport& report, std::ostream& out) {
  out << "hyperepoch,epoch,frame,runnable,kind,resources,release_ns,wcet_ns,deadline_ns,start_ns,end_ns,slack_ns\n";
  const auto number = [](const std::optional<Time>& time) { return time ? fmt::format("{}", time->count()) : std::string(); };
  for (std::size_t i = 0; i < report.schedule.hyperepochs.size(); ++i) {
    const ScheduledHyperepoch& h = report.schedule.hyperepochs[i];
    const HyperepochProof* proof = report.hyperepochs[i].proof;
    for (std::size_t id = 0; id < h.runnables.size(); ++id) {
      const ScheduledRunnable& r = h.runnables[id];
      if (r.role == static_order::Role::frame_sync && r.resources.empty()) continue;
      out << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(h.name), csv_field(h.epochs[r.epoch].name), r.frame,
                         csv_field(r.full_name()), to_string(r.role), csv_field(resource_names(h, r)), r.release.count(), r.wcet.count(),
                         number(r.deadline), proof != nullptr ? number(proof->runnables[id].start) : "",
                         proof != nullptr ? number(proof->runnables[id].end) : "",
                         proof != nullptr ? number(proof->runnables[id].slack) : "");
    }
  }
}

}  // namespace rta::report
