#include "late_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "comparison_printers.hpp"
#include "rta/model/time_slices.hpp"
#include "rta/report/overhead_words.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

std::string cause_in_words(compare::LateCause cause) {
  switch (cause) {
    case compare::LateCause::execution: return "nodes took longer than their C or L";
    case compare::LateCause::invalid: return "the run did not do what the task set says (failed checks)";
    case compare::LateCause::unseen: return "not known: the trace has no executions (--trace-level block)";
    case compare::LateCause::machine: break;
  }
  return "what the machine adds to nodes, which C and L leave out";
}

}  // namespace

std::vector<Row> late_rows(const ComparisonReport& report, const compare::Comparison& c) {
  std::vector<Row> rows{{"late jobs by cause", "jobs", "above by at most", "in"}};
  for (const compare::LateGroup& group : c.late) {
    const compare::Violation& v = group.worst;
    const Dag& dag = report.of(c).dags()[v.dag];
    rows.push_back({cause_in_words(group.cause), fmt::format("{}", group.jobs), rounded_text(v.response - v.bound),
                    fmt::format("job {} of {}{}{}", v.job, dag.name(), v.node ? "/" : "", v.node ? dag.nodes()[*v.node].name : "")});
  }
  return rows;
}

std::string overhead_in_words(const TaskSet& task_set, const compare::SeenOverhead& seen) {
  std::string text =
      fmt::format("on {} the machine adds {} to a node (median), {} (99 %), at most {}", name_in_file(task_set.pools()[seen.pool]),
                  rounded_text(seen.median), rounded_text(seen.of_99_percent), rounded_text(seen.max));
  if (!seen.quiet()) text += "; it is not quiet: something else ran there now and then (rta workload FILE --doctor says what to change)";
  return text;
}

std::string overhead_options(const TaskSet& task_set, std::span<const compare::SeenOverhead> seen) {
  std::string text;
  for (const compare::SeenOverhead& one : seen)
    text += fmt::format(" --overhead {}={}us", name_in_file(task_set.pools()[one.pool]), one.proposed().count() / 1000);
  return text;
}

std::vector<std::string> overhead_lines(const ComparisonReport& report, const compare::Comparison& c) {
  const bool of_the_machine = std::ranges::any_of(
      c.late, [](const auto& group) { return group.cause == compare::LateCause::machine || group.cause == compare::LateCause::execution; });
  std::vector<std::string> lines;
  if (!of_the_machine || c.overheads.empty()) return lines;
  const TaskSet& task_set = report.of(c);
  for (const compare::SeenOverhead& seen : c.overheads) lines.push_back(overhead_in_words(task_set, seen));
  // Nothing that C and L could hold makes up for what else runs there.
  if (!detail(c.header, "overhead_ns").empty() && !std::ranges::all_of(c.overheads, &compare::SeenOverhead::quiet)) return lines;
  const std::string file = report.file.empty() ? std::string("FILE") : std::string(report.file);
  const std::string options = overhead_options(task_set, c.overheads);
  const std::string trace = report.kept ? c.trace : "kept/trace.jsonl";
  if (!report.kept) lines.push_back(fmt::format("next: rta run {} --keep kept", file));
  lines.push_back(fmt::format("{}: rta calibrate {} {}{} -o measured.yaml", report.kept ? "next" : "then", trace, file, options));
  lines.push_back(fmt::format("then: rta run measured.yaml{}", options));
  return lines;
}

}  // namespace rta::report
