#include <fmt/format.h>

#include <ostream>

#include "optimization_rows.hpp"
#include "report/analysis/analysis_words.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {

void print_optimization_text(const Optimization& report, std::ostream& out) {
  const optimize::Outcome& outcome = report.outcome;
  const ShownTimes shown_times(*outcome.after->proof.task_set);
  out << fmt::format("{}: {}\n{}\n", to_string(outcome.after->verdict), verdict_sentence(*outcome.after), summary(report));
  if (outcome.cost) out << fmt::format("cost {}\n", *outcome.cost);
  if (report.written) out << fmt::format("written to {}\n", *report.written);
  out << '\n' << alternatives_title << '\n';
  for (const optimize::Decision& decision : outcome.decisions) {
    out << fmt::format("  {}\n", decision.what);
    print_table(out, alternative_rows(decision, report), 5, 4);
  }
  if (!outcome.frontier.empty()) {
    out << '\n' << frontier_title << '\n';
    print_table(out, frontier_rows(outcome), 3);
  }
  out << fmt::format("\nEnd to end, before (the first alternatives) and after ({})\n", to_string(outcome.after->proof.release));
  print_table(out, before_and_after_rows(outcome), 1);
}

}  // namespace rta::report
