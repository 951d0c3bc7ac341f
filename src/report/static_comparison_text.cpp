#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "io/shown_text.hpp"
#include "static_comparison_printers.hpp"

namespace rta::report {
namespace {

constexpr std::size_t few_played_runnables = 40;  // that are shown without being asked for

const char* colour_of(const compare::StaticComparison& c) {
  if (!c.as_proven()) return "1;31";
  return c.valid() && c.complete && c.conclusive() ? "1;32" : "1;33";
}

// All where they are few; else those that were beyond their WCET or late, and those that came closest to what is proven.
std::vector<Row> shown_runnables(const compare::StaticComparison& c, bool verbose) {
  std::vector<Row> rows = played_runnable_rows(c);
  if (verbose || c.runnables.size() <= few_played_runnables) return rows;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < c.runnables.size(); ++i) {
    if (c.runnables[i].slack) order.push_back(i);
  }
  const auto key = [&](std::size_t i) { return std::pair(c.runnables[i].over + c.runnables[i].late == 0, *c.runnables[i].slack); };
  std::ranges::stable_sort(order, {}, key);
  order.resize(std::min(order.size(), few_played_runnables));
  std::vector<Row> shown{rows.front()};
  for (const std::size_t i : order) shown.push_back(std::move(rows[i + 1]));
  return shown;
}

void print_one(const StaticComparisonReport& report, const compare::StaticComparison& c, std::ostream& out) {
  out << io::Coloured{verdict_line(c), colour_of(c), report.colour} << '\n';
  out << fmt::format("{}: {}{}{}\n\n", c.trace, c.header.source, c.header.device ? ", " + *c.header.device : "",
                     c.header.started ? ", " + *c.header.started : "");
  print_table(out, played_hyperepoch_rows(report, c), 1);
  out << '\n';
  print_table(out, shown_runnables(c, report.verbose), 1);
  if (!report.verbose && c.runnables.size() > few_played_runnables)
    out << fmt::format("those of {} runnables that are beyond their WCETs or closest to what is proven; --verbose shows all\n",
                       c.runnables.size());
  out << '\n';
  print_table(out, played_resource_rows(report, c), 2);
  for (const compare::LateJob& job : c.late_jobs) {
    out << '\n' << late_text(job) << '\n';
    for (const std::string& reason : job.reasons) out << "  - " << reason << '\n';
  }
  if (c.late_jobs.size() < c.late) out << fmt::format("\n{} more jobs ended later than proven.\n", c.late - c.late_jobs.size());
  bool first = true;
  for (const trace::CheckRecord& check : c.checks) {
    if (!report.verbose && check.outcome == "ok") continue;
    out << (first ? "\n" : "") << fmt::format("{}: {}: {}\n", check.outcome, check.name, check.text);
    first = false;
  }
}

}  // namespace

void print_static_comparison_text(const StaticComparisonReport& report, std::ostream& out) {
  bool first = true;
  for (const compare::StaticComparison& comparison : report.comparisons) {
    if (!first) out << '\n';
    first = false;
    print_one(report, comparison, out);
  }
}

}  // namespace rta::report
