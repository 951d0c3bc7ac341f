#include "rta/report/schedule_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/parts/times.hpp"
#include "rta/report/time_text.hpp"
#include "schedule_printers.hpp"
#include "schedule_words.hpp"

namespace rta::report {
namespace {

using static_order::HyperepochProof;
using static_order::ScheduledHyperepoch;
using static_order::ScheduledRunnable;

}  // namespace

bool ScheduleReport::good() const {
  if (faults != nullptr) return faults->empty();
  return std::ranges::all_of(hyperepochs,
                             [](const HyperepochReport& h) { return h.proof != nullptr && h.proof->lateness <= Time::zero(); });
}

bool has_runnable(const static_order::Schedule& schedule, std::string_view name) {
  return std::ranges::any_of(schedule.hyperepochs, [&](const ScheduledHyperepoch& h) {
    return std::ranges::any_of(h.runnables, [&](const ScheduledRunnable& r) { return r.full_name() == name || r.name == name; });
  });
}

std::vector<Row> resource_rows(const ScheduledHyperepoch& hyperepoch) {
  std::vector<Row> rows{{"resource", "type", "runnables", "busy", "of the period"}};
  for (std::size_t r = 0; r < hyperepoch.resources.size(); ++r) {
    std::size_t count = 0;
    Time busy;
    for (const ScheduledRunnable& runnable : hyperepoch.runnables) {
      if (std::ranges::find(runnable.resources, r) == runnable.resources.end()) continue;
      ++count;
      busy += runnable.wcet;
    }
    const bool shared = std::ranges::any_of(hyperepoch.sharing, [&](const static_order::Sharing& s) { return s.resource == r; });
    rows.push_back(
        {hyperepoch.resources[r].name, hyperepoch.resources[r].type, fmt::format("{}", count), shared ? "shared" : time_text(busy),
         shared ? "" : number_text(100 * static_cast<double>(busy.count()) / static_cast<double>(hyperepoch.period.count()), 1) + " %"});
  }
  return rows;
}

std::vector<Row> frame_rows(const ScheduledHyperepoch& hyperepoch, const HyperepochProof& proof) {
  std::vector<Row> rows{{"epoch", "frame", "starts", "ends by", "end to end"}};
  for (const static_order::FrameProof& frame : proof.frames) {
    rows.push_back({hyperepoch.epochs[frame.epoch].name, fmt::format("{}", frame.frame), time_text(frame.start), time_text(frame.end),
                    time_text(frame.end - frame.start)});
  }
  return rows;
}

std::vector<Row> runnable_rows(const ScheduledHyperepoch& hyperepoch, const HyperepochProof& proof) {
  std::vector<Row> rows{{"runnable", "resources", "WCET", "starts by", "ends by", "deadline", "slack"}};
  for (std::size_t i = 0; i < hyperepoch.runnables.size(); ++i) {
    const ScheduledRunnable& r = hyperepoch.runnables[i];
    rows.push_back({runnable_name(hyperepoch, i), resource_names(hyperepoch, r), time_text(r.wcet), time_text(proof.runnables[i].start),
                    time_text(proof.runnables[i].end), optional_time(r.deadline), optional_time(proof.runnables[i].slack)});
  }
  return rows;
}

}  // namespace rta::report
