#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "chain_table.hpp"
#include "comparison_printers.hpp"
#include "io/shown_text.hpp"
#include "late_words.hpp"
#include "report/parts/ratio_text.hpp"
#include "report/parts/text_table.hpp"
#include "report/parts/times.hpp"
#include "rta/report/comparison_report.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

Row cells(const TaskSet& task_set, const compare::Responses& row) {
  const int digits = digits_of(row);
  const std::string bound = row.bound ? rounded_text(*row.bound, digits) : "-";
  const std::string deadline = optional_time(row.deadline);
  if (row.count() == 0) return {row_name(task_set, row), "0", "-", "-", "-", bound, "-", "-", deadline, "-", ""};
  const std::string ratio = bound_over_max(row);
  return {row_name(task_set, row),
          fmt::format("{}", row.count()),
          rounded_text(row.max(), digits),
          rounded_text(row.mean(), digits),
          rounded_text(row.quantile(990'000), digits),
          bound,
          ratio.empty() ? "-" : ratio,
          row.bound ? fmt::format("{}", row.over) : "-",
          deadline,
          row.deadline ? fmt::format("{}", row.missed) : "-",
          row.missed > 0 ? "MISSED" : ""};
}

void print_responses(const TaskSet& task_set, const std::vector<compare::Responses>& responses, const char* title, std::ostream& out) {
  std::vector<Row> rows{{title, "jobs", "max", "mean", "99 %", "bound", "bound/max", "over", "deadline", "missed", ""}};
  for (const compare::Responses& row : responses) rows.push_back(cells(task_set, row));
  const bool deadlines = std::ranges::any_of(responses, [](const auto& row) { return row.deadline.has_value(); });
  if (!deadlines) std::ranges::for_each(rows, [](Row& row) { row.resize(8); });
  report::print_table(out, rows, 1);
}

void print_side_by_side(const ComparisonReport& report, std::ostream& out) {
  std::vector<Row> rows{
      {"end to end, largest over all DAGs", "source", "release", "scheduling", "bound", "max", "99 %", "90 %", "median", "mean"}};
  for (const compare::Comparison& c : report.comparisons) {
    const compare::EndToEnd largest = compare::end_to_end(c);
    const int digits = digits_of_row(largest.max, largest.bound, std::nullopt);
    const auto text = [&](const std::optional<Time>& time) { return time ? rounded_text(*time, digits) : std::string("-"); };
    const std::string scheduling = detail(c.header, "scheduling");
    rows.push_back({c.trace, c.header.source, c.header.release.value_or("-"), scheduling.empty() ? "-" : scheduling, text(largest.bound),
                    text(largest.max), text(largest.of_99_percent), text(largest.of_90_percent), text(largest.median), text(largest.mean)});
  }
  report::print_table(out, rows, 1);
}

void print_late(const ComparisonReport& report, const compare::Comparison& c, std::ostream& out) {
  if (c.late.empty()) return;
  out << '\n';
  report::print_table(out, late_rows(report, c), 1);
  for (const std::string& line : overhead_lines(report, c)) out << line << '\n';
  if (!report.verbose) out << "--verbose shows the worst jobs, each with what the trace says of it.\n";
}

void print_violations(const TaskSet& task_set, const compare::Comparison& comparison, std::ostream& out) {
  for (const compare::Violation& v : comparison.violations) {
    const Dag& dag = task_set.dags()[v.dag];
    out << fmt::format("\nJob {} of {}{}{}, released at {}: {} after {} at most {}\n", v.job, dag.name(), v.node ? "/" : "",
                       v.node ? dag.nodes()[*v.node].name : "", time_text(v.release), time_text(v.response),
                       v.node ? "its offset, proven" : "its release, proven", time_text(v.bound));
    for (const std::string& reason : v.reasons) out << "  - " << reason << '\n';
  }
  if (comparison.violations.size() < comparison.over)
    out << fmt::format("\n{} more jobs are above their bounds.\n", comparison.over - comparison.violations.size());
}

const char* colour_of(const compare::Comparison& c) {
  if (!c.within_bounds() || !c.met_deadlines()) return "1;31";
  return c.valid() && c.complete && c.conclusive() ? "1;32" : "1;33";
}

void print_one(const ComparisonReport& report, const compare::Comparison& c, std::ostream& out) {
  const TaskSet& task_set = report.of(c);
  out << io::Coloured{verdict_line(c), colour_of(c), report.colour} << '\n';
  out << fmt::format("{}: {}{}, released {}{}{}\n\n", c.trace, report.variants.empty() ? "" : fmt::format("of {}, ", task_set.name()),
                     c.header.source, c.header.release.value_or("(not said how)"), c.header.device ? ", " + *c.header.device : "",
                     c.header.started ? ", " + *c.header.started : "");
  if (const std::string overheads = detail(c.header, "overhead_ns"); !overheads.empty())
    out << fmt::format("C and L include overheads of this machine: nodes were played shorter by (ns) {}\n\n", overheads);
  print_responses(task_set, c.dags, "DAG", out);
  if (report.verbose && !c.nodes.empty()) {
    out << '\n';
    print_responses(task_set, c.nodes, "node", out);
  }
  if (!c.chains.empty()) {
    out << '\n';
    report::print_table(out, chain_table(c.chains), 3);
  }
  for (const trace::CheckRecord& check : c.checks) {
    if (report.verbose || check.outcome != "ok") out << fmt::format("\n{}: {}: {}", check.outcome, check.name, check.text);
  }
  if (std::ranges::any_of(c.checks, [&](const auto& check) { return report.verbose || check.outcome != "ok"; })) out << '\n';
  print_late(report, c, out);
  if (report.verbose) print_violations(task_set, c, out);
}

/// `2 jobs of DAGs and nodes took longer than proven, 1 of the chains exceeded what is proven`, without what there are none of.
std::string broken(std::uint64_t jobs, std::string_view what_jobs, std::size_t chains, std::string_view what_chains) {
  std::string text;
  if (jobs > 0) text = fmt::format("{} job{} of DAGs and nodes {}", jobs, jobs == 1 ? "" : "s", what_jobs);
  if (chains > 0) text += fmt::format("{}{} of the chains {}", text.empty() ? "" : ", ", chains, what_chains);
  return text;
}

}  // namespace

std::string row_name(const TaskSet& task_set, const compare::Responses& row) {
  const Dag& dag = task_set.dags()[row.dag];
  return row.node ? dag.name() + "/" + dag.nodes()[*row.node].name : dag.name();
}

int digits_of(const compare::Responses& row) {
  return digits_of_row(row.count() > 0 ? std::optional(row.max()) : std::nullopt, row.bound, row.deadline);
}

std::string bound_over_max(const compare::Responses& row) {
  return ratio_text(row.bound, row.count() > 0 ? std::optional(row.max()) : std::nullopt);
}

std::string detail(const trace::Header& header, std::string_view key) {
  const auto at = std::ranges::find(header.details, key, [](const auto& entry) { return std::string_view(entry.first); });
  return at == header.details.end() ? "" : at->second;
}

std::string verdict_line(const compare::Comparison& c) {
  std::string line;
  if (!c.within_bounds()) {
    line = "ABOVE THE BOUND: " + broken(c.over, "took longer than proven", c.chains_over(), "exceeded what is proven");
  } else if (!c.conclusive()) {
    line = "nothing compared: no DAG or node with a bound was observed";
  } else {
    line = "within bounds: no job took longer than proven";
  }
  if (!c.met_deadlines()) {
    const char* const what = c.missed > 0 ? "DEADLINE MISSED" : "LIMIT MISSED";
    line = fmt::format("{}: {}; {}", what, broken(c.missed, "ended too late", c.chains_missed(), "passed a limit"), line);
  }
  if (!c.valid()) line += "; the run is INVALID, it did not do what the task set says";
  if (!c.complete) line += "; the trace is INCOMPLETE";
  if (c.lost_records > 0) line += fmt::format("; {} records were lost", c.lost_records);
  return line;
}

void print_comparison_text(const ComparisonReport& report, std::ostream& out) {
  const ShownTimes shown_times(report.task_set);
  bool first = true;
  for (const compare::Comparison& comparison : report.comparisons) {
    if (!first) out << '\n';
    first = false;
    print_one(report, comparison, out);
  }
  if (report.comparisons.size() > 1) {
    out << '\n';
    print_side_by_side(report, out);
  }
}

}  // namespace rta::report
