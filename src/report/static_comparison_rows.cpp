#include <fmt/format.h>

#include "rta/report/time_text.hpp"
#include "static_comparison_printers.hpp"

namespace rta::report {
namespace {

std::string percent(std::uint64_t millionths) { return number_text(static_cast<double>(millionths) / 1e4, 1) + " %"; }
constexpr std::uint32_t p99 = 990'000;

}  // namespace

std::string played_name(const compare::PlayedRunnable& runnable) { return runnable.epoch + "/" + runnable.name; }

std::string verdict_line(const compare::StaticComparison& c) {
  std::string line;
  if (!c.conclusive()) {
    line = "nothing compared: no whole frame was observed";
  } else if (c.as_proven()) {
    line = "as proven: nothing took longer than its WCET, and nothing ended later than proven but for wake-ups";
  } else {
    line = "NOT AS PROVEN:";
    if (c.over > 0) line += fmt::format(" {} time{} a runnable took longer than its WCET;", c.over, c.over == 1 ? "" : "s");
    if (c.late > 0) {
      line += fmt::format(" {} job{} ended later than proven", c.late, c.late == 1 ? "" : "s");
      line += c.unexplained > 0 ? fmt::format(", {} of them for no reason that the trace shows;", c.unexplained) : ", which that explains;";
    }
    if (c.early > 0) line += fmt::format(" {} job{} started before what they wait for had ended;", c.early, c.early == 1 ? "" : "s");
    line.pop_back();
  }
  if (!c.valid()) line += "; the run is INVALID, it did not do what the schedule says";
  if (!c.complete) line += "; the trace is INCOMPLETE";
  if (c.lost_records > 0) line += fmt::format("; {} records were lost", c.lost_records);
  return line;
}

std::vector<Row> played_hyperepoch_rows(const StaticComparisonReport& report, const compare::StaticComparison& c) {
  std::vector<Row> rows{{"hyperepoch", "period", "frames", "skipped", "longest", "mean", "proven", "longer"}};
  for (std::size_t h = 0; h < c.hyperepochs.size(); ++h) {
    const compare::PlayedHyperepoch& played = c.hyperepochs[h];
    const static_order::ScheduledHyperepoch& is = report.schedule.hyperepochs[h];
    const bool any = played.length.count() > 0;
    rows.push_back({is.name, time_text(is.period), fmt::format("{}", played.frames), fmt::format("{}", played.skipped),
                    any ? time_text(played.length.max()) : "-", any ? time_text(played.length.mean()) : "-", time_text(is.length),
                    fmt::format("{}", played.longer)});
  }
  return rows;
}

std::vector<Row> played_runnable_rows(const compare::StaticComparison& c) {
  std::vector<Row> rows{
      {"runnable", "jobs", "WCET", "longest", "99 %", "mean", "over", "wake-up 99 %", "wake-up", "jitter", "ended", "proven", "slack"}};
  for (const compare::PlayedRunnable& r : c.runnables) {
    if (r.execution.count() == 0) {
      rows.push_back({played_name(r), "0", time_text(r.wcet), "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"});
      continue;
    }
    rows.push_back({played_name(r), fmt::format("{}", r.execution.count()), time_text(r.wcet), time_text(r.execution.max()),
                    time_text(r.execution.quantile(p99)), time_text(r.execution.mean()), fmt::format("{}", r.over),
                    time_text(r.wake_up.quantile(p99)), time_text(r.wake_up.max()), time_text(r.start_jitter), time_text(r.latest),
                    time_text(r.proven), r.slack ? time_text(*r.slack) : "-"});
  }
  return rows;
}

std::vector<Row> played_resource_rows(const StaticComparisonReport& report, const compare::StaticComparison& c) {
  std::vector<Row> rows{{"resource", "hyperepoch", "planned", "busy"}};
  for (const compare::PlayedResource& r : c.resources)
    rows.push_back({r.name, report.schedule.hyperepochs[r.hyperepoch].name, percent(r.planned), percent(r.busy)});
  return rows;
}

std::string late_text(const compare::LateJob& job) {
  return fmt::format("job {} of {} in {} ended {} after the start of its hyperepoch; proven {}, wake-ups before it {}", job.job, job.name,
                     job.epoch, time_text(job.end), time_text(job.proven), time_text(job.wake_ups));
}

}  // namespace rta::report
