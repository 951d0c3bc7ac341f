#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "io/shown_text.hpp"
#include "rta/report/time_text.hpp"
#include "schedule_printers.hpp"
#include "schedule_words.hpp"

namespace rta::report {
namespace {

using static_order::ScheduledHyperepoch;
using static_order::ScheduledRunnable;

constexpr std::size_t few_runnables = 30;  // that are shown without being asked for
constexpr std::size_t most_late = 10;

std::string percent(Time part, Time whole) {
  return number_text(100 * static_cast<double>(part.count()) / static_cast<double>(whole.count()), 1) + " %";
}

void print_late(const ScheduledHyperepoch& h, const HyperepochReport& report, std::ostream& out) {
  std::size_t shown = 0;
  for (std::size_t i = 0; i < h.runnables.size(); ++i) {
    const ScheduledRunnable& r = h.runnables[i];
    const Time due = r.deadline ? std::min(*r.deadline, h.period) : h.period;
    const Time end = report.proof->runnables[i].end;
    if (end <= due || ++shown > most_late) continue;
    out << fmt::format("  LATE: {} may end at {}, {} after {}\n", runnable_name(h, i), time_text(end), time_text(end - due),
                       r.deadline && *r.deadline <= h.period ? "its deadline" : "the period");
  }
  if (shown > most_late) out << fmt::format("  and {} more\n", shown - most_late);
  if (shown == 0 || report.compiled == nullptr) return;
  if (report.compiled->late) {
    out << fmt::format("  no schedule is in time: {} is too long by {} or more\n", "what must be done",
                       time_text(report.compiled->late->late));
    out << fmt::format("    {}\n", obstacle_text(*report.compiled->late));
  } else {
    out << "  whether some schedule is in time is not known; more time (--time-limit) may find one\n";
  }
}

void print_lengths(const ScheduledHyperepoch& h, const HyperepochReport& report, static_order::Objective objective, std::ostream& out) {
  out << fmt::format("  length {}, {} of the period\n", time_text(report.proof->length), percent(report.proof->length, h.period));
  if (report.compiled != nullptr) {
    const auto& c = *report.compiled;
    if (objective != static_order::Objective::length) out << fmt::format("  {} {}\n", objective_text(objective), time_text(c.objective));
    out << fmt::format("  {}: lower bound {}\n", quality(c, objective), time_text(c.objective_bound));
    if (c.reason.kind != static_order::Obstacle::Kind::search) out << fmt::format("    {}\n", obstacle_text(c.reason));
  }
  if (report.proof->scale) out << fmt::format("  all WCETs could be {} times as long\n", scale_text(*report.proof->scale));
  for (const static_order::Sharing& s : h.sharing) {
    out << fmt::format("  kernels share {} {}\n", h.resources[s.resource].name,
                       s.by == static_order::Sharing::By::weights ? "by weights (T15w): those that may overlap find room at once"
                                                                  : "by streams (T15g): they wait for one another");
  }
}

void print_hyperepoch(const ScheduleReport& report, std::size_t index, std::ostream& out) {
  const ScheduledHyperepoch& h = report.schedule.hyperepochs[index];
  const HyperepochReport& known = report.hyperepochs[index];
  out << fmt::format("\nHyperepoch {} (period {}, {} runnable{})\n", h.name, time_text(h.period), h.runnables.size(),
                     h.runnables.size() == 1 ? "" : "s");
  if (known.proof == nullptr) {
    out << "  nothing is proven\n";
    return;
  }
  print_lengths(h, known, report.objective, out);
  print_late(h, known, out);
  out << '\n';
  print_table(out, resource_rows(h), 2);
  out << '\n';
  print_table(out, frame_rows(h, *known.proof), 1);
  if (!known.proof->critical_path.empty()) {
    out << "\n  critical path:";
    const auto& path = known.proof->critical_path;
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (path.size() > 12 && i == 8) out << fmt::format(" -> ... ({} in all)", path.size());
      if (path.size() > 12 && i >= 8 && i + 2 < path.size()) continue;
      out << (i == 0 ? " " : " -> ") << runnable_name(h, path[i]);
    }
    out << '\n';
  }
  if (!report.verbose && h.runnables.size() > few_runnables) return;
  out << '\n';
  print_table(out, runnable_rows(h, *known.proof), 2);
}

}  // namespace

void print_schedule_text(const ScheduleReport& report, std::ostream& out) {
  const std::string first = verdict(report);
  out << io::Coloured{first, report.good() ? "32" : "31", report.colour} << '\n';
  if (report.faults != nullptr) {
    for (const static_order::Fault& fault : *report.faults) out << "  " << fault_text(report.schedule, fault) << '\n';
  }
  for (std::size_t i = 0; i < report.schedule.hyperepochs.size(); ++i) print_hyperepoch(report, i, out);
  for (const std::string& name : report.explained) {
    for (std::size_t i = 0; i < report.schedule.hyperepochs.size(); ++i) {
      const ScheduledHyperepoch& h = report.schedule.hyperepochs[i];
      for (std::size_t id = 0; id < h.runnables.size() && report.hyperepochs[i].proof != nullptr; ++id) {
        if (h.runnables[id].full_name() != name && h.runnables[id].name != name) continue;
        out << '\n';
        for (const std::string& line : explanation(h, *report.hyperepochs[i].proof, id)) out << line << '\n';
      }
    }
  }
}

}  // namespace rta::report
