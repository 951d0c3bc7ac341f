#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "optimization_rows.hpp"
#include "report/analysis/analysis_words.hpp"
#include "report/parts/page.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

PageTable alternatives_table(const Optimization& report) {
  const bool costs = report.outcome.cost.has_value();
  PageTable table{alternatives_title, {{"choice", "alternative", "outcome", minimised_in_words(report)}}};
  if (costs) table.rows.front().emplace_back("cost");
  for (const optimize::Decision& decision : report.outcome.decisions) {
    for (const optimize::Alternative& one : decision.alternatives) {
      Row& row = table.rows.emplace_back(Row{decision.what, one.value, meaning_of(one), minimised_text(one)});
      if (costs) row.push_back(one.cost ? fmt::format("{}", *one.cost) : "-");
    }
  }
  return table;
}

Badge badge_of(const optimize::Outcome& outcome) {
  if (outcome.after->verdict == analysis::Verdict::schedulable) return {"schedulable", Badge::Tone::good};
  return {outcome.after->verdict == analysis::Verdict::unbounded ? "no bound" : "deadline missed", Badge::Tone::bad};
}

}  // namespace

void print_optimization_page(const Optimization& report, std::ostream& out) {
  const optimize::Outcome& outcome = report.outcome;
  const ShownTimes shown_times(*outcome.after->proof.task_set);
  Page page;
  page.title = outcome.after->proof.task_set->name();
  page.badge = badge_of(outcome);
  page.summary = verdict_sentence(*outcome.after);
  page.facts = {{"searched", summary(report)}, {"release", std::string(to_string(outcome.after->proof.release))}};
  if (outcome.cost) page.facts.emplace_back("cost", fmt::format("{}", *outcome.cost));
  if (report.written) page.facts.emplace_back("written to", *report.written);
  for (const std::string& warning : report.warnings) page.facts.emplace_back("warning", warning);
  page.content.emplace_back(alternatives_table(report));
  if (!outcome.frontier.empty()) page.content.emplace_back(PageTable{frontier_title, frontier_rows(outcome)});
  page.content.emplace_back(PageTable{"End to end, before (the first alternatives) and after", before_and_after_rows(outcome)});
  embed("optimization.json", print_optimization_json, report, page);
  out << html(page);
}

}  // namespace rta::report
