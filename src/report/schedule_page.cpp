#include <fmt/format.h>

#include <ostream>

#include "page.hpp"
#include "rta/report/time_text.hpp"
#include "schedule_printers.hpp"
#include "schedule_words.hpp"

namespace rta::report {
namespace {

constexpr std::size_t most_rows = 2'000;  // of a table of runnables

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

}  // namespace

void print_schedule_page(const ScheduleReport& report, std::ostream& out) {
  Page page;
  page.title = "Static schedule of " + report.file;
  page.summary = verdict(report);
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
        "decides; dashed lines are starts of frames. The wheel zooms, dragging moves, a double click shows all.";
    const bool observed = !known.observed.empty();
    page.content.emplace_back(Chart{"Hyperepoch " + h.name, observed ? caption + " Dark bars below: what was observed." : caption,
                                    gantt_specification(h, known)});
    page.content.emplace_back(PageTable{"", resource_rows(h)});
    page.content.emplace_back(PageTable{"", frame_rows(h, *known.proof)});
    PageTable table{"Runnables of " + h.name, runnable_rows(h, *known.proof)};
    if (table.rows.size() > most_rows) {
      page.content.emplace_back(
          Paragraph{fmt::format("The table shows {} of {} runnables; JSON and CSV have all.", most_rows, table.rows.size() - 1)});
      table.rows.resize(most_rows + 1);
    }
    page.content.emplace_back(std::move(table));
  }
  out << html(page);
}

}  // namespace rta::report
