// What the text begins with, in Markdown: for pull requests, wikis and reports.
#include <fmt/format.h>

#include <ostream>
#include <string>
#include <vector>

#include "analysis_chains.hpp"
#include "analysis_printers.hpp"
#include "analysis_words.hpp"
#include "chain_why.hpp"
#include "rate_words.hpp"
#include "remedy_words.hpp"
#include "report/parts/markdown_text.hpp"
#include "requirement_rows.hpp"
#include "rta/analysis/assumptions.hpp"
#include "rta/report/time_text.hpp"
#include "slack_words.hpp"
#include "why_words.hpp"

namespace rta::report {
namespace {

void print_section(std::string_view title, const std::vector<Row>& rows, std::size_t left_columns, std::ostream& out) {
  if (rows.size() < 2) return;
  out << fmt::format("\n## {}\n\n", title) << markdown_table(rows, left_columns);
}

std::vector<Row> pool_rows(const analysis::Proof& proof) {
  std::vector<Row> rows{{"pool", "", "why", "utilization", "capacity", "%"}};
  for (PoolId p = 0; p < proof.pools.size(); ++p) {
    const Pool& pool = proof.task_set->pools()[p];
    const auto& of_pool = proof.pools[p];
    rows.push_back({pool.name, description(pool, of_pool), (of_pool.bounded() ? "" : "NO BOUND: ") + pool_in_words(proof, p),
                    number_text(of_pool.utilization, 3), of_pool.capacity > 0 ? capacity_text(pool.kind(), of_pool.capacity) : "-",
                    of_pool.capacity > 0 ? number_text(100 * of_pool.utilization / of_pool.capacity, 2) : "-"});
  }
  return rows;
}

}  // namespace

void print_analysis_markdown(const AnalysisReport& report, std::ostream& out) {
  const ShownTimes shown_times(*report.analysis.proof.task_set);
  const analysis::Analysis& analysis = report.analysis;
  const analysis::Proof& proof = analysis.proof;
  out << fmt::format("# {}\n\n{}.\n", to_string(analysis.verdict), markdown_text(verdict_sentence(analysis)));
  if (const auto proved = machine_checked_in_words(analysis::machine_checked(proof), true); !proved.empty())
    out << fmt::format("\nProofs: {}.\n", markdown_text(proved));
  const ShownDags shown = shown_dags(proof, report.style.all || report.style.verbose);
  print_section("End to end", dag_rows(proof, shown.kinds), 1, out);
  if (const std::string more = left_out_in_words(shown); !more.empty()) out << fmt::format("\n{}.\n", more);
  out << fmt::format("\nHolds for {}.\n", markdown_text(needs_in_words(proof)));
  print_section("Jobs in flight", in_flight_rows(proof), 1, out);
  print_section("Nodes that wait for earlier jobs", history_rows(proof), 3, out);
  print_section("Pools", pool_rows(proof), 3, out);
  print_section("Deadlines of single nodes", own_deadline_rows(proof), 1, out);
  print_section("Chains", chain_rows(analysis), 2, out);
  print_section("Requirements", requirement_rows(analysis), 2, out);
  if (const auto assumed = assumptions(proof, analysis.chains); !assumed.empty()) {
    out << "\n## Assumed\n\n";
    for (const auto& one : assumed) out << fmt::format("- {}\n", markdown_text(one.text));
  }
  if (const std::string dear = dear_theorems_in_words(proof); !dear.empty()) out << fmt::format("\nLeft out: {}.\n", markdown_text(dear));
  for (const analysis::Why& why : analysis.whys) {
    std::vector<Row> rows = why_rows(proof, why);  // without a header, which tables in Markdown have
    rows.insert(rows.begin(), Row(rows.empty() ? 0 : rows.front().size()));
    print_section("Why " + markdown_text(why_heading(proof, why)), rows, 1, out);
  }
  for (ChainWhy& why : chain_whys(analysis)) {
    why.rows.insert(why.rows.begin(), Row(2));
    print_section("Why " + markdown_text(why.heading), why.rows, 1, out);
  }
  if (analysis.remedies && !analysis.remedies->list.empty()) {
    print_section("What helps (each tried and proven)", remedy_rows(analysis, most_remedies), 3, out);
  }
  for (const analysis::LargestRate& rate : analysis.rates) {
    out << fmt::format("\n## Largest rate of {}\n\n", markdown_text(rate_name(proof, rate)));
    for (const std::string& line : rate_lines(analysis, rate)) out << fmt::format("- {}\n", markdown_text(line));
  }
  if (analysis.slack) {
    print_section("Room: nodes", node_slack_rows(analysis), 2, out);
    print_section("Room: DAGs", dag_slack_rows(analysis), 2, out);
    print_section("Room: pools", pool_slack_rows(analysis), 2, out);
    out << fmt::format("\n{}\n", markdown_text(slack_in_words(*analysis.slack)));
  }
  if (report.certificate) out << fmt::format("\nCertificate: {}\n", markdown_text(report.certificate->file));
}

}  // namespace rta::report
