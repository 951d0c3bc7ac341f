#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

#include "analysis_chains.hpp"
#include "analysis_printers.hpp"
#include "analysis_words.hpp"
#include "chain_why.hpp"
#include "io/shown_text.hpp"
#include "meeting_table.hpp"
#include "priority_words.hpp"
#include "rate_words.hpp"
#include "remedy_words.hpp"
#include "report/parts/text_table.hpp"
#include "report/parts/times.hpp"
#include "requirement_rows.hpp"
#include "rta/analysis/assumptions.hpp"
#include "rta/analysis/path/path_system.hpp"
#include "rta/model/deadline.hpp"
#include "rta/report/time_text.hpp"
#include "slack_words.hpp"
#include "why_words.hpp"

namespace rta::report {
namespace {

void print_pools(const analysis::Proof& proof, bool verbose, std::ostream& out) {
  out << "\nPools\n";
  for (PoolId p = 0; p < proof.pools.size(); ++p) {
    const Pool& pool = proof.task_set->pools()[p];
    const auto& of_pool = proof.pools[p];
    out << fmt::format("  {} ({})\n", pool.name, description(pool, of_pool));
    if (of_pool.capacity > 0 && of_pool.utilization > 0) {
      const double headroom = of_pool.capacity - of_pool.utilization - of_pool.awaiting;
      out << fmt::format(
          "    utilization {} of {} ({} %){}, headroom {}\n", number_text(of_pool.utilization, 3),
          capacity_text(pool.kind(), of_pool.capacity), number_text(100 * of_pool.utilization / of_pool.capacity, 2),
          of_pool.awaiting > 0 ? fmt::format(", and {} in which groups await kernels", number_text(of_pool.awaiting, 3)) : std::string(),
          number_text(headroom, 3));
    } else if (of_pool.utilization > 0) {
      out << fmt::format("    utilization {} {}\n", number_text(of_pool.utilization, 3), unit_of(pool.kind()));
    }
    if (of_pool.busy) {
      out << fmt::format("    one kernel at a time, each alone on the GPU: busy {} % of the time\n", number_text(100 * *of_pool.busy, 2));
    }
    out << fmt::format("    {}: {}\n", of_pool.bounded() ? "bounded" : "NO BOUND", pool_in_words(proof, p));
    if (verbose && !of_pool.theorems.empty()) out << fmt::format("    by {}\n", names_of(of_pool.theorems));
    if (of_pool.worst) out << fmt::format("    worst blocking configuration: {}\n", worst_configuration_in_words(proof, p));
    if (of_pool.largest_lateness) out << fmt::format("    largest node lateness {}\n", rounded_text(*of_pool.largest_lateness));
  }
}

void print_dags(const analysis::Proof& proof, const ShownDags& shown, std::ostream& out) {
  out << fmt::format("\nEnd to end ({})\n", needs_in_words(proof));
  print_table(out, dag_rows(proof, shown.kinds), 1);
  if (const std::string more = left_out_in_words(shown); !more.empty()) out << "  " << more << '\n';
  if (const auto rows = in_flight_rows(proof); rows.size() > 1) {
    out << "\nJobs in flight (a job may be released before the last one has ended)\n";
    print_table(out, rows, 1);
  }
  if (const auto rows = history_rows(proof); rows.size() > 1) {
    out << "\nNodes that wait for earlier jobs (bounds hold where none is ever delayed by that)\n";
    print_table(out, rows, 3);
  }
}

// Each job of a hyperperiod.
void print_jobs(const analysis::Analysis& analysis, std::ostream& out) {
  if (!analysis.jobs) return;
  const TaskSet& set = *analysis.proof.task_set;
  out << fmt::format("\nJobs of a hyperperiod ({}), from their nominal releases\n", span_text(analysis.jobs->hyperperiod));
  std::vector<Row> rows{{"DAG", "job", "released at", "bound", "ends by", "deadline", "verdict"}};
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const auto& D = set.dags()[d].deadline();
    const auto& jobs = analysis.jobs->dags[d];
    const bool all_met = analysis.proof.dags[d].meets(D);  // from their releases, which may come after the nominal ones
    for (std::size_t n = 0; n < jobs.size(); ++n) {
      rows.push_back({set.dags()[d].name(), fmt::format("{}", n), time_text(jobs[n].release), bound_text(jobs[n].R, D),
                      rounded_text(jobs[n].release + jobs[n].R), optional_time(D),
                      !D                           ? "bounded"
                      : all_met || jobs[n].R <= *D ? "met"
                                                   : "MISSED"});
    }
  }
  print_table(out, rows, 1);
  const auto followed = [](const analysis::Evidence& evidence) { return std::holds_alternative<analysis::ReachEvidence>(evidence); };
  if (std::ranges::any_of(analysis.proof.evidence, followed))
    out << "  rta simulate --witness plays the starts that lead to the latest of each DAG by T36\n";
}

// Points that are not those of the rule in the heading.
void print_points(const analysis::Proof& proof, std::ostream& out) {
  if (proof.release != Release::completion && proof.release != Release::segments) return;
  const bool segments = proof.release == Release::segments;
  const std::vector<Time> by_rule = analysis::dag_priority_points(*proof.task_set);
  std::vector<Row> rows{segments ? Row{"DAG", "segment", "priority point", "by the scheduler"}
                                 : Row{"DAG", "priority point", "by the scheduler"}};
  for (const KindOfDag& kind : kinds_of_dags(proof)) {
    const auto nodes = proof.task_set->dags()[kind.first].nodes();
    for (NodeId v = 0; v < nodes.size(); ++v) {
      const auto& node = proof.dags[kind.first].nodes[v];
      const bool by_node = std::ranges::find(proof.ordered_by_node, nodes[v].pool) != proof.ordered_by_node.end();
      if (by_node || !node.priority_point || *node.priority_point == by_rule[kind.first]) continue;
      Row row{shared_name(proof, kind)};
      if (segments) row.push_back(fmt::format("{}", node.segment));
      row.insert(row.end(), {time_text(*node.priority_point), time_text(by_rule[kind.first])});
      if (std::ranges::find(rows, row) == rows.end()) rows.push_back(std::move(row));
    }
  }
  if (rows.size() == 1) return;
  out << fmt::format("\nPriority points of their own (from the release of the {})\n", segments ? "segment" : "DAG");
  print_table(out, rows, 1);
}

// Nodes with deadlines of their own.
void print_own_deadlines(const analysis::Proof& proof, std::ostream& out) {
  const auto rows = own_deadline_rows(proof);
  if (rows.size() == 1) return;
  out << "\nDeadlines of single nodes (from where their response times count)\n";
  print_table(out, rows, 1);
}

void print_requirements(const analysis::Analysis& analysis, std::ostream& out) {
  const auto rows = requirement_rows(analysis);
  if (rows.size() == 1) return;
  out << "\nRequirements\n";
  print_table(out, rows, 2);
}

// What bounds rest on, beyond the order of nodes.
void print_assumed(const analysis::Analysis& analysis, std::ostream& out) {
  const auto assumed = assumptions(analysis.proof, analysis.chains);
  if (assumed.empty()) return;
  out << "\nAssumed\n";
  for (const auto& one : assumed) out << fmt::format("  {}\n", one.text);
}

// Who can meet whom where durations were measured alone.
void print_meetings(const analysis::Proof& proof, std::ostream& out) {
  for (const MeetingTable& table : meeting_tables(proof)) {
    out << fmt::format("\n{}\n", meeting_title(table));
    if (!table.names.empty()) print_table(out, meeting_rows(table), 3);
    if (const std::string more = meetings_left_out(table); !more.empty()) out << fmt::format("  {}\n", more);
  }
}

// What the policies that were not chosen would give.
void print_policies(const analysis::Analysis& analysis, std::ostream& out) {
  if (analysis.policies.size() < 2) return;
  out << "\nOther release policies\n";
  for (const auto& outcome : analysis.policies) {
    if (outcome.release != analysis.proof.release) out << fmt::format("  {}: {}\n", to_string(outcome.release), outcome_text(outcome));
  }
  if (const std::string forgone = forgone_in_words(analysis); !forgone.empty()) out << "  " << forgone << '\n';
}

/// What was not looked at: for the bounds that are printed, or under every policy that was tried.
void print_left_out(const analysis::Analysis& analysis, bool verbose, std::ostream& out) {
  if (!verbose) {
    if (const std::string dear = dear_theorems_in_words(analysis.proof); !dear.empty())
      out << fmt::format("\nLeft out\n  {} (--verbose)\n", dear);
    return;
  }
  if (std::ranges::all_of(analysis.policies, [](const auto& outcome) { return outcome.left_out.empty(); })) return;
  out << "\nLeft out, as it would take long (bounds hold, and may be larger than need be)\n";
  for (const auto& outcome : analysis.policies) {
    for (const auto& one : outcome.left_out) out << fmt::format("  {}: {}\n", to_string(outcome.release), in_words(one));
  }
}

void print_paths(const analysis::Proof& proof, const ShownDags& shown, std::ostream& out) {
  if (std::ranges::none_of(shown.kinds, [&](const KindOfDag& kind) { return proof.dags[kind.first].critical_path.size() > 1; })) return;
  out << "\nCritical paths\n";
  for (const KindOfDag& kind : shown.kinds) {
    const auto& path = proof.dags[kind.first].critical_path;
    if (path.size() > 1) out << fmt::format("  {}: {}\n", shared_name(proof, kind), path_text(proof.task_set->dags()[kind.first], path));
  }
}

// Where DAGs are cut: each segment's offset and nodes.
void print_segments(const analysis::Proof& proof, std::ostream& out) {
  if (proof.release != Release::segments || verdict_of(proof) == analysis::Verdict::unbounded) return;
  out << "\nSegments (released at an offset from the DAG's release, inside on completion)\n";
  for (const KindOfDag& kind : kinds_of_dags(proof)) {
    const Dag& dag = proof.task_set->dags()[kind.first];
    const auto& nodes = proof.dags[kind.first].nodes;
    std::vector<Row> rows;
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      while (rows.size() <= nodes[v].segment) rows.push_back({fmt::format("{}", rows.size()), "", ""});
      Row& row = rows[nodes[v].segment];
      row[1] = optional_time(nodes[v].reference);
      row[2] += (row[2].empty() ? "" : " ") + dag.nodes()[v].name;
    }
    std::ranges::sort(rows, {}, [&](const Row& row) {
      return std::ranges::find_if(nodes, [&](const auto& node) { return fmt::format("{}", node.segment) == row[0]; })->reference;
    });
    out << fmt::format("  {}\n", shared_name(proof, kind));
    rows.insert(rows.begin(), Row{"segment", "offset", "nodes"});
    print_table(out, rows, 3);
  }
}

void print_nodes(const analysis::Proof& proof, std::ostream& out) {
  for (const KindOfDag& kind : kinds_of_dags(proof)) {
    const Dag& dag = proof.task_set->dags()[kind.first];
    out << fmt::format("\nNodes of {} (T = {})\n", shared_name(proof, kind), time_text(dag.nominal_period()));
    const bool by_priority = std::ranges::any_of(proof.dags[kind.first].nodes, [](const auto& node) { return node.priority.has_value(); });
    std::vector<Row> rows{{"node", "pool", "theorem", "offset", "priority point", "bound", "ends by"}};
    if (by_priority) rows.front().emplace_back("priority");
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const auto& node = proof.dags[kind.first].nodes[v];
      rows.push_back({dag.nodes()[v].name, proof.task_set->pools()[dag.nodes()[v].pool].name,
                      node.bound ? std::string(to_string(node.bound->basis.theorem)) : "-", optional_time(offset_of(proof, node)),
                      optional_time(node.priority_point), optional_bound(node.bound, own_deadline(dag, v)),
                      optional_rounded(ends_by(node))});
      if (by_priority) rows.back().push_back(node.priority ? fmt::format("{}", *node.priority) : "-");
    }
    print_table(out, rows, 3);
  }
}

// `18432 (+2304)`.
std::string capacity_text(double capacity, double gain) {
  const std::string change = number_text(gain, 1);
  return fmt::format("{} ({}{})", number_text(capacity, 1), change.starts_with('-') ? "" : "+", change);
}

void print_suggestions(const analysis::Suggestions& suggestions, std::ostream& out) {
  if (suggestions.list.empty()) return;
  out << "\nBlock sizes that would raise a GPU's capacity (advice, no bound)\n";
  const bool shared = std::ranges::any_of(suggestions.list, [](const auto& s) { return s.shared_memory > 0; });
  std::vector<Row> rows{{"node", "H", "B"}};
  if (shared) rows[0].emplace_back("shared memory");
  rows[0].insert(rows[0].end(), {"capacity alone", "together", "group"});
  for (const auto& s : suggestions.list) {
    Row& row = rows.emplace_back();
    row = {s.dags == 1 ? s.node : fmt::format("{} ({} DAGs)", s.node, s.dags), fmt::format("{}", s.H), fmt::format("{}", s.B)};
    if (shared) row.push_back(fmt::format("{} B", s.shared_memory));
    row.insert(row.end(),
               {capacity_text(s.capacity_alone, s.gain_alone), capacity_text(s.capacity, s.gain), fmt::format("{}", s.group + 1)});
  }
  print_table(out, rows, 1);
  out << "  alone: this node changes, all others stay; together: all nodes of the group change to this H\n";
  for (std::size_t g = 0; g < suggestions.groups.size(); ++g) {
    const auto& nodes = suggestions.groups[g];
    out << fmt::format("  group {}: {}\n", g + 1, fmt::join(nodes, ", "));
  }
}

// Why bounds are as large as they are: of late DAGs, and of those that were asked for.
void print_whys(const analysis::Analysis& analysis, std::ostream& out) {
  for (const analysis::Why& why : analysis.whys) {
    out << fmt::format("\nWhy {}\n", why_heading(analysis.proof, why));
    print_table(out, why_rows(analysis.proof, why), 1);
    const std::string hopeless = hopeless_in_words(analysis.proof, why);
    if (!hopeless.empty()) out << "  " << hopeless << '\n';
  }
  for (const ChainWhy& why : chain_whys(analysis)) {
    out << fmt::format("\nWhy {}\n", why.heading);
    print_table(out, why.rows, 1);
  }
  const std::string others = left_out_in_words(analysis);
  if (!others.empty()) out << '\n' << others << '\n';
}

void print_remedies(const analysis::Analysis& analysis, std::ostream& out) {
  if (!analysis.remedies) return;
  out << "\nWhat helps (each tried and proven)\n";
  if (!analysis.remedies->list.empty()) {
    print_table(out, remedy_rows(analysis, most_remedies), 3);
    out << '\n';
    print_table(out, remedy_bounds(analysis, most_remedies), 1);
  }
  if (const std::string rest = remedies_in_words(analysis, most_remedies); !rest.empty()) out << "  " << rest << '\n';
}

void print_slack(const analysis::Analysis& analysis, std::ostream& out) {
  if (!analysis.slack) return;
  out << "\nSlack\n  " << slack_in_words(*analysis.slack) << '\n';
  for (const auto& rows : {node_slack_rows(analysis), dag_slack_rows(analysis), pool_slack_rows(analysis)}) {
    if (rows.size() == 1) continue;
    out << '\n';
    print_table(out, rows, 2);
  }
}

void print_rates(const analysis::Analysis& analysis, std::ostream& out) {
  for (const analysis::LargestRate& rate : analysis.rates) {
    out << fmt::format("\nLargest rate of {}\n", rate_name(analysis.proof, rate));
    for (const std::string& line : rate_lines(analysis, rate)) out << "  " << line << '\n';
  }
}

std::string rule_names(const std::vector<analysis::RuleUse>& uses) {
  std::string text;
  for (const auto& use : uses) text += (text.empty() ? "" : ", ") + std::string(to_string(use.verdict.rule));
  return text;
}

// What an examination of the device says of the rules that the bounds rest on.
void print_rules(const analysis::Analysis& analysis, std::ostream& out) {
  if (!analysis.rules) return;
  const analysis::RuleCheck& check = *analysis.rules;
  out << "\nScheduling rules that these bounds rest on\n";
  if (!check.confirmed.empty()) {
    out << fmt::format("  rules confirmed on {} ({}{}): {}\n", check.device, check.driver.empty() ? "" : "driver " + check.driver + ", ",
                       check.date, rule_names(check.confirmed));
  }
  for (const auto& use : check.refuted) {
    out << fmt::format("  {} REFUTED on {}: {} (pool{} {})\n", to_string(use.verdict.rule), check.device, use.verdict.reason,
                       use.pools.size() == 1 ? "" : "s", fmt::join(use.pools, ", "));
  }
  for (const auto& use : check.untested) out << fmt::format("  {} not tested: {}\n", to_string(use.verdict.rule), use.verdict.reason);
  if (check.confirmed.empty() && check.refuted.empty() && check.untested.empty()) out << "  none: nothing runs on a GPU or a copy engine\n";
}

const char* colour_of(analysis::Verdict verdict) {
  switch (verdict) {
    case analysis::Verdict::schedulable: return "1;32";
    case analysis::Verdict::deadline_missed: return "1;33";
    case analysis::Verdict::unbounded: return "1;31";
  }
  return "";
}

}  // namespace

void TextPrinter::print(const analysis::Analysis& analysis, std::ostream& out) const {
  const ShownTimes shown_times(*analysis.proof.task_set);
  out << io::Coloured{to_string(analysis.verdict), colour_of(analysis.verdict), style_.colour} << ": " << verdict_sentence(analysis)
      << '\n';
  const std::string proved = machine_checked_in_words(analysis::machine_checked(analysis.proof), style_.verbose);
  if (!proved.empty()) out << proved << '\n';
  print_pools(analysis.proof, style_.verbose, out);
  const ShownDags shown = shown_dags(analysis.proof, style_.all || style_.verbose);
  print_dags(analysis.proof, shown, out);
  print_jobs(analysis, out);
  print_points(analysis.proof, out);
  print_own_deadlines(analysis.proof, out);
  print_chains(analysis, out);
  print_requirements(analysis, out);
  print_assumed(analysis, out);
  print_assignment(analysis, out);
  print_policies(analysis, out);
  print_paths(analysis.proof, shown, out);
  print_whys(analysis, out);
  print_remedies(analysis, out);
  print_slack(analysis, out);
  print_rates(analysis, out);
  print_segments(analysis.proof, out);
  if (style_.verbose) print_nodes(analysis.proof, out);
  if (style_.verbose) print_meetings(analysis.proof, out);
  print_left_out(analysis, style_.verbose, out);
  print_suggestions(analysis.suggestions, out);
  print_rules(analysis, out);
  for (const auto& explanation : analysis.explanations) {
    out << fmt::format("\nBound of {}\n", explanation.node);
    for (const std::string& line : explanation.lines) out << "  " << line << '\n';
  }
}

}  // namespace rta::report
