#include <fmt/format.h>

#include <ostream>

#include "report/parts/page.hpp"
#include "rta/report/time_text.hpp"
#include "schedule_printers.hpp"
#include "schedule_words.hpp"

namespace rta::report {
namespace {

Row summary_row(const ScheduleReport& report, std::size_t index) {
  const static_order::ScheduledHyperepoch& h = report.schedule.hyperepochs[index];
  const HyperepochReport& known = report.hyperepochs[index];
  if (known.proof == nullptr) return {h.name, time_text(h.period), "nothing is proven", "", "", ""};
  return {h.name,
          time_text(h.period),
          time_text(known.proof->length),
          known.compiled != nullptr ? time_text(known.compiled->objective_bound) : "-",
          known.compiled != nullptr ? quality(*known.compiled, report.objective) : "-",
          known.proof->lateness <= Time::zero() ? "in time" : "late by " + time_text(known.proof->lateness)};
}

Badge badge_of(const ScheduleReport& report) {
  if (!report.good()) return {report.faults != nullptr ? "not sound" : "late", Badge::Tone::bad};
  return {report.faults != nullptr ? "sound" : "in time", Badge::Tone::good};
}

}  // namespace

void print_schedule_page(const ScheduleReport& report, std::ostream& out) {
  Page page;
  page.title = "Static schedule of " + report.file;
  page.summary = verdict(report);
  page.badge = badge_of(report);
  PageTable summary{"", {{"hyperepoch", "period", "length", "lower bound", "search", "verdict"}}};
  for (std::size_t i = 0; i < report.schedule.hyperepochs.size(); ++i) summary.rows.push_back(summary_row(report, i));
  page.content.emplace_back(std::move(summary));
  if (report.faults != nullptr) {
    for (const static_order::Fault& fault : *report.faults) page.content.emplace_back(Paragraph{fault_text(report.schedule, fault)});
  }
  for (std::size_t i = 0; i < report.schedule.hyperepochs.size(); ++i) {
    const static_order::ScheduledHyperepoch& h = report.schedule.hyperepochs[i];
    const HyperepochReport& known = report.hyperepochs[i];
    if (known.proof == nullptr || h.runnables.empty()) continue;
    const std::string caption =
        "Latest starts and ends, if everything takes as long as its WCET. Pointing at a bar shows what it waits for and what waits for it, "
        "in red what "
        "decides; pale in rows of streams: kernels that wait there; dashed lines are starts of frames.";
    const bool observed = !known.observed.empty();
    page.content.emplace_back(Chart{"Hyperepoch " + h.name, observed ? caption + " Thin bars below: what was observed." : caption,
                                    gantt_specification(h, known, report.schedule.clients)});
    page.content.emplace_back(PageTable{"", resource_rows(h)});
    page.content.emplace_back(PageTable{"", frame_rows(h, *known.proof)});
    page.content.emplace_back(PageTable{"Runnables of " + h.name, runnable_rows(h, *known.proof)});
  }
  embed("schedule.json", print_schedule_json, report, page);
  out << html(page);
}

}  // namespace rta::report
